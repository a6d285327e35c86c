//! Processor features that single functions ask for, beside the machine's.

use super::{
    LlvmModule, Machine,
    machine::{Known, known},
};
use llvm_sys::{core::*, *};
use std::{ptr, slice};

const KEY: &str = "target-features";

impl LlvmModule {
    /// The features of a function, in LLVM's notation.
    fn features_of(&self, function: prelude::LLVMValueRef) -> Option<String> {
        unsafe {
            let attribute = LLVMGetStringAttributeAtIndex(
                function,
                LLVMAttributeFunctionIndex,
                KEY.as_ptr().cast(),
                KEY.len() as u32,
            );
            if attribute.is_null() {
                return None;
            }
            let mut length = 0;
            let text = LLVMGetStringAttributeValue(attribute, &mut length);
            let bytes = if length == 0 { &[] } else { slice::from_raw_parts(text.cast(), length as usize) };
            Some(String::from_utf8_lossy(bytes).into_owned())
        }
    }

    fn name_of(function: prelude::LLVMValueRef) -> String {
        let mut length = 0;
        unsafe {
            let text = LLVMGetValueName2(function, &mut length);
            let text = if text.is_null() { ptr::dangling() } else { text };
            String::from_utf8_lossy(slice::from_raw_parts(text.cast(), length)).into_owned()
        }
    }

    /// The functions that need what the machine lacks, with the first such feature.
    pub fn lacking(&self, machine: &Machine) -> Option<(String, String)> {
        let has = |feature: &str| machine.features().split(',').any(|f| f.strip_prefix('+') == Some(feature));
        self.functions().find_map(|function| {
            let features = self.features_of(function)?;
            let missing = features.split(',').filter_map(|f| f.strip_prefix('+')).find(|f| !has(f))?;
            Some((Self::name_of(function), missing.to_owned()))
        })
    }
}

impl Machine {
    /// Gives the functions that ask for features the machine's own too. One that the target does not have is an error.
    pub fn add_features(&self, module: &LlvmModule) -> Result<(), String> {
        for function in module.functions() {
            let Some(own) = module.features_of(function) else { continue };
            for feature in own.split(',').filter_map(|f| f.strip_prefix('+')) {
                known(self.triple(), feature, Known::Feature)
                    .map_err(|error| format!("@{} has cpu.features: {error}", LlvmModule::name_of(function)))?;
            }
            let all: Vec<&str> = [self.features(), &own].into_iter().filter(|f| !f.is_empty()).collect();
            let all = all.join(",");
            unsafe {
                let attribute = LLVMCreateStringAttribute(
                    module.context,
                    KEY.as_ptr().cast(),
                    KEY.len() as u32,
                    all.as_ptr().cast(),
                    all.len() as u32,
                );
                LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, attribute);
            }
        }
        Ok(())
    }
}
