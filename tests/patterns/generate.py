"""Writes the functions that tests/patterns.rs executes: `python3 tests/patterns/generate.py` in the repository's root.

A case is (name, parameters, result, expect, body, options); tests/patterns.rs says what `expect` means.
"""

from pathlib import Path

OUT = Path(__file__).parent

def emit(name, header, cases):
    t='ppyir 1\nmodule @%s\ndialect core 1\n'%name+('dialect math 1\n' if name=='math' else '')+'\n'
    for c in cases:
        fn,params,res,expect,body=c[:5]; opts=c[5] if len(c)>5 else {}
        attrs='expect = "%s"'%expect
        if opts.get('pipeline'): attrs+=', pipeline = "%s"'%opts['pipeline']
        if opts.get('python'): attrs+=', python_may_succeed = true'
        t+='func @%s(%s) -> %s attrs {%s} {\n'%(fn,params,res,attrs)
        lines=body.strip('\n').split('\n')
        if not lines[0].strip().startswith('^'): t+='^entry:\n'
        for l in lines:
            l=l.strip()
            t+=(l if l.startswith('^') else '    '+l)+'\n'
        t+='}\n\n'
    (OUT / (name + '.ppyir')).write_text(t.rstrip('\n')+'\n')
O=lambda m:'{overflow = "%s"}'%m
D=lambda m,r:'{overflow = "%s", rounding = "%s"}'%(m,r)
P={'python':1}
cases=[]
def un(name,ty,expect,lines,opts={}): cases.append((name,'%x: '+ty,ty,expect,lines,opts))
def bi(name,ty,expect,lines,opts={}): cases.append((name,'%%x: %s, %%y: %s'%(ty,ty),ty,expect,lines,opts))
for m in ['python','checked','wrap']:
    un('add_0_'+m,'i64','-core.add','%c = core.const 0 : i64\n%r = core.add %x, %c '+O(m)+' : i64\ncore.ret %r')
    un('add_0_left_'+m,'i64','-core.add','%c = core.const 0 : i64\n%r = core.add %c, %x '+O(m)+' : i64\ncore.ret %r')
    un('sub_0_'+m,'i8','-core.sub','%c = core.const 0 : i8\n%r = core.sub %x, %c '+O(m)+' : i8\ncore.ret %r')
    un('sub_self_'+m,'i64','-core.sub','%r = core.sub %x, %x '+O(m)+' : i64\ncore.ret %r')
    un('mul_1_'+m,'i64','-core.mul','%c = core.const 1 : i64\n%r = core.mul %x, %c '+O(m)+' : i64\ncore.ret %r')
    un('mul_0_'+m,'i64','-core.mul','%c = core.const 0 : i64\n%r = core.mul %x, %c '+O(m)+' : i64\ncore.ret %r')
    un('mul_minus_1_'+m,'i8','-core.mul +core.neg','%c = core.const -1 : i8\n%r = core.mul %x, %c '+O(m)+' : i8\ncore.ret %r')
    un('sub_from_0_'+m,'i64','-core.sub +core.neg','%c = core.const 0 : i64\n%r = core.sub %c, %x '+O(m)+' : i64\ncore.ret %r')
    for r in ['floor','trunc']:
        un('div_1_%s_%s'%(m,r),'i64','-core.div','%c = core.const 1 : i64\n%r = core.div %x, %c '+D(m,r)+' : i64\ncore.ret %r')
        un('div_minus_1_%s_%s'%(m,r),'i8','-core.div +core.neg','%c = core.const -1 : i8\n%r = core.div %x, %c '+D(m,r)+' : i8\ncore.ret %r')
        un('mod_1_%s_%s'%(m,r),'i64','-core.mod','%c = core.const 1 : i64\n%r = core.mod %x, %c '+D(m,r)+' : i64\ncore.ret %r')
        un('mod_minus_1_%s_%s'%(m,r),'i8','-core.mod','%c = core.const -1 : i8\n%r = core.mod %x, %c '+D(m,r)+' : i8\ncore.ret %r')
    un('shl_0_'+m,'i64','-core.shl','%c = core.const 0 : i64\n%r = core.shl %x, %c '+O(m)+' : i64\ncore.ret %r')
for m in ['python','wrap']:
    o=P if m=='python' else {}
    un('neg_neg_'+m,'i8','-core.neg','%a = core.neg %x '+O(m)+' : i8\n%r = core.neg %a '+O(m)+' : i8\ncore.ret %r',o)
    bi('add_sub_'+m,'i8','-core.add -core.sub','%a = core.sub %x, %y '+O(m)+' : i8\n%r = core.add %a, %y '+O(m)+' : i8\ncore.ret %r',o)
    bi('add_sub_left_'+m,'i8','-core.add -core.sub','%a = core.sub %x, %y '+O(m)+' : i8\n%r = core.add %y, %a '+O(m)+' : i8\ncore.ret %r',o)
    bi('sub_add_'+m,'i8','-core.add -core.sub','%a = core.add %x, %y '+O(m)+' : i8\n%r = core.sub %a, %x '+O(m)+' : i8\ncore.ret %r',o)
    bi('add_neg_'+m,'i8','-core.neg +core.sub','%a = core.neg %y '+O(m)+' : i8\n%r = core.add %x, %a '+O(m)+' : i8\ncore.ret %r',o)
    bi('add_neg_left_'+m,'i8','-core.neg +core.sub','%a = core.neg %x '+O(m)+' : i8\n%r = core.add %a, %y '+O(m)+' : i8\ncore.ret %r',o)
    bi('sub_neg_'+m,'i8','-core.neg +core.add','%a = core.neg %y '+O(m)+' : i8\n%r = core.sub %x, %a '+O(m)+' : i8\ncore.ret %r',o)
    bi('neg_sub_'+m,'i8','-core.neg +core.sub','%a = core.sub %x, %y '+O(m)+' : i8\n%r = core.neg %a '+O(m)+' : i8\ncore.ret %r',o)
    bi('mul_neg_neg_'+m,'i8','-core.neg +core.mul','%a = core.neg %x '+O(m)+' : i8\n%b = core.neg %y '+O(m)+' : i8\n%r = core.mul %a, %b '+O(m)+' : i8\ncore.ret %r',o)
    un('mul_neg_const_'+m,'i8','-core.neg +core.mul','%a = core.neg %x '+O(m)+' : i8\n%c = core.const 7 : i8\n%r = core.mul %a, %c '+O(m)+' : i8\ncore.ret %r',o)
    for (n,op1,c1,op2,c2,ex) in [('aa','add',5,'add',7,'-5 -7 +12'),('as','add',5,'sub',7,'-5 -7 +2'),('sa','sub',5,'add',5,'-core.add -core.sub'),('ss','sub',100,'sub',20,'-100 -20 +120')]:
        ex=' '.join((t[0]+'core.const_'+t[1:]) if t[1:].isdigit() else t for t in ex.split())
        un('offsets_%s_%s'%(n,m),'i8',ex,'%%a = core.const %d : i8\n%%b = core.const %d : i8\n%%s = core.%s %%x, %%a %s : i8\n%%r = core.%s %%s, %%b %s : i8\ncore.ret %%r'%(c1,c2,op1,O(m),op2,O(m)),o)
        ty='u8'
        un('offsets_u_%s_%s'%(n,m),'u8',ex,'%%a = core.const %d : u8\n%%b = core.const %d : u8\n%%s = core.%s %%x, %%a %s : u8\n%%r = core.%s %%s, %%b %s : u8\ncore.ret %%r'%(c1,c2,op1,O(m),op2,O(m)),o)
    un('factors_'+m,'i8','+core.const_15','%a = core.const 3 : i8\n%b = core.const 5 : i8\n%s = core.mul %x, %a '+O(m)+' : i8\n%r = core.mul %s, %b '+O(m)+' : i8\ncore.ret %r',o)
    un('shl_shl_'+m,'i8','+core.const_5','%a = core.const 3 : i8\n%b = core.const 2 : i8\n%s = core.shl %x, %a '+O(m)+' : i8\n%r = core.shl %s, %b '+O(m)+' : i8\ncore.ret %r',o)
un('neg_neg_checked','i8','+core.neg','%a = core.neg %x '+O('checked')+' : i8\n%r = core.neg %a '+O('checked')+' : i8\ncore.ret %r')
un('neg_neg_mixed','i8','+core.neg','%a = core.neg %x '+O('wrap')+' : i8\n%r = core.neg %a '+O('python')+' : i8\ncore.ret %r')
bi('sub_add_checked','i8','+core.add +core.sub','%a = core.add %x, %y '+O('checked')+' : i8\n%r = core.sub %a, %x '+O('checked')+' : i8\ncore.ret %r')
un('offsets_checked','i8','+core.const_5 +core.const_7','%a = core.const 5 : i8\n%b = core.const 7 : i8\n%s = core.add %x, %a '+O('checked')+' : i8\n%r = core.sub %s, %b '+O('checked')+' : i8\ncore.ret %r')
un('offsets_beyond_type','i8','+core.const_100','%a = core.const 100 : i8\n%b = core.const 101 : i8\n%s = core.add %x, %a '+O('python')+' : i8\n%r = core.add %s, %b '+O('python')+' : i8\ncore.ret %r')
un('offsets_beyond_type_wrap','i8','+core.const_55 +core.sub','%a = core.const 100 : i8\n%b = core.const 101 : i8\n%s = core.add %x, %a '+O('wrap')+' : i8\n%r = core.add %s, %b '+O('wrap')+' : i8\ncore.ret %r')
un('constant_that_does_not_fit','i8','+core.add','%a = core.const 100 : i8\n%s = core.add %a, %a '+O('python')+' : i8\n%r = core.and %s, %x : i8\ncore.ret %r')
un('constant_division_by_zero','i8','+core.div','%a = core.const 100 : i8\n%b = core.const 0 : i8\n%s = core.div %a, %b '+D('python','floor')+' : i8\n%r = core.and %s, %x : i8\ncore.ret %r')
un('div_by_zero_of_zero','i64','+core.div','%c = core.const 0 : i64\n%r = core.div %c, %x '+D('python','floor')+' : i64\ncore.ret %r')
un('mul_div','i8','-core.mul -core.div','%c = core.const 6 : i8\n%p = core.mul %x, %c '+O('python')+' : i8\n%r = core.div %p, %c '+D('python','floor')+' : i8\ncore.ret %r',P)
un('mul_mod','i8','-core.mul -core.mod','%c = core.const -6 : i8\n%p = core.mul %x, %c '+O('python')+' : i8\n%r = core.mod %p, %c '+D('python','floor')+' : i8\ncore.ret %r',P)
un('mul_div_wrap','i8','+core.mul +core.div','%c = core.const 6 : i8\n%p = core.mul %x, %c '+O('wrap')+' : i8\n%r = core.div %p, %c '+D('wrap','floor')+' : i8\ncore.ret %r')
un('mul_8_wrap','i64','-core.mul +core.shl','%c = core.const 8 : i64\n%r = core.mul %x, %c '+O('wrap')+' : i64\ncore.ret %r')
un('mul_8_python','i8','+core.mul -core.shl','%c = core.const 8 : i8\n%r = core.mul %x, %c '+O('python')+' : i8\ncore.ret %r')
un('mul_min_wrap','i8','-core.mul +core.shl','%c = core.const -128 : i8\n%r = core.mul %x, %c '+O('wrap')+' : i8\ncore.ret %r')
un('mul_128_wrap','u8','-core.mul +core.shl','%c = core.const 128 : u8\n%r = core.mul %x, %c '+O('wrap')+' : u8\ncore.ret %r')
un('shl_all_out_wrap','i8','-core.shl','%a = core.const 5 : i8\n%b = core.const 6 : i8\n%s = core.shl %x, %a '+O('wrap')+' : i8\n%r = core.shl %s, %b '+O('wrap')+' : i8\ncore.ret %r')
un('shr_0','i64','-core.shr','%c = core.const 0 : i64\n%r = core.shr %x, %c : i64\ncore.ret %r')
un('shr_shr','i8','+core.const_5','%a = core.const 3 : i8\n%b = core.const 2 : i8\n%s = core.shr %x, %a : i8\n%r = core.shr %s, %b : i8\ncore.ret %r')
un('shr_all_out','i8','+core.const_7','%a = core.const 5 : i8\n%b = core.const 6 : i8\n%s = core.shr %x, %a : i8\n%r = core.shr %s, %b : i8\ncore.ret %r')
un('shr_all_out_unsigned','u8','2core.shr','%a = core.const 5 : u8\n%b = core.const 6 : u8\n%s = core.shr %x, %a : u8\n%r = core.shr %s, %b : u8\ncore.ret %r')
for f in ['f64','f32','f16','bf16']:
    un('float_add_minus_0_'+f,f,'-core.add','%%c = core.const -0.0 : %s\n%%r = core.add %%x, %%c : %s\ncore.ret %%r'%(f,f))
    un('float_add_0_'+f,f,'+core.add','%%c = core.const 0.0 : %s\n%%r = core.add %%x, %%c : %s\ncore.ret %%r'%(f,f))
    un('float_sub_0_'+f,f,'-core.sub','%%c = core.const 0.0 : %s\n%%r = core.sub %%x, %%c : %s\ncore.ret %%r'%(f,f))
    un('float_sub_minus_0_'+f,f,'+core.sub','%%c = core.const -0.0 : %s\n%%r = core.sub %%x, %%c : %s\ncore.ret %%r'%(f,f))
    un('float_sub_self_'+f,f,'+core.sub','%%r = core.sub %%x, %%x : %s\ncore.ret %%r'%f)
    un('float_mul_1_'+f,f,'-core.mul','%%c = core.const 1.0 : %s\n%%r = core.mul %%x, %%c : %s\ncore.ret %%r'%(f,f))
    un('float_mul_0_'+f,f,'+core.mul','%%c = core.const 0.0 : %s\n%%r = core.mul %%x, %%c : %s\ncore.ret %%r'%(f,f))
    un('float_div_1_'+f,f,'-core.div','%%c = core.const 1.0 : %s\n%%r = core.div %%x, %%c : %s\ncore.ret %%r'%(f,f))
    un('float_div_8_'+f,f,'-core.div +core.mul','%%c = core.const 8.0 : %s\n%%r = core.div %%x, %%c : %s\ncore.ret %%r'%(f,f))
    un('float_div_minus_quarter_'+f,f,'-core.div +core.mul','%%c = core.const -0.25 : %s\n%%r = core.div %%x, %%c : %s\ncore.ret %%r'%(f,f))
    un('float_div_3_'+f,f,'+core.div','%%c = core.const 3.0 : %s\n%%r = core.div %%x, %%c : %s\ncore.ret %%r'%(f,f))
    un('float_neg_neg_'+f,f,'-core.neg','%%a = core.neg %%x : %s\n%%r = core.neg %%a : %s\ncore.ret %%r'%(f,f))
    bi('float_add_neg_'+f,f,'-core.neg +core.sub','%%a = core.neg %%y : %s\n%%r = core.add %%x, %%a : %s\ncore.ret %%r'%(f,f))
    bi('float_sub_neg_'+f,f,'-core.neg +core.add','%%a = core.neg %%y : %s\n%%r = core.sub %%x, %%a : %s\ncore.ret %%r'%(f,f))
    bi('float_mul_neg_neg_'+f,f,'-core.neg +core.mul','%%a = core.neg %%x : %s\n%%b = core.neg %%y : %s\n%%r = core.mul %%a, %%b : %s\ncore.ret %%r'%(f,f,f))
    un('float_sub_from_0_'+f,f,'+core.sub','%%c = core.const 0.0 : %s\n%%r = core.sub %%c, %%x : %s\ncore.ret %%r'%(f,f))
un('float_div_huge_f64','f64','+core.div','%c = core.const 8.98846567431158e+307 : f64\n%r = core.div %x, %c : f64\ncore.ret %r')
un('nan_is_left','f64','+core.div','%c = core.const 0.0 : f64\n%r = core.div %c, %c : f64\ncore.ret %r')
un('unused_python','i8','-core.mul','%a = core.mul %x, %x '+O('python')+' : i8\ncore.ret %x',P)
un('unused_checked','i8','+core.mul','%a = core.mul %x, %x '+O('checked')+' : i8\ncore.ret %x')
emit('arith','',cases)

cases=[]
for ty in ['i64','u8','bool']:
    ones={'i64':'-1','u8':'255','bool':'true'}[ty]; zero='false' if ty=='bool' else '0'
    for (n,op,c,ex) in [('and_0','and',zero,'-core.and'),('and_ones','and',ones,'-core.and'),('or_0','or',zero,'-core.or'),('or_ones','or',ones,'-core.or'),('xor_0','xor',zero,'-core.xor')]:
        un('%s_%s'%(n,ty),ty,ex,'%%c = core.const %s : %s\n%%r = core.%s %%x, %%c : %s\ncore.ret %%r'%(c,ty,op,ty))
    for op in ['and','or','xor']:
        un('%s_self_%s'%(op,ty),ty,'-core.'+op,'%%r = core.%s %%x, %%x : %s\ncore.ret %%r'%(op,ty))
    for (a,b) in [('and','or'),('or','and')]:
        bi('%s_absorbs_%s_%s'%(a,b,ty),ty,'-core.and -core.or','%%a = core.%s %%y, %%x : %s\n%%r = core.%s %%x, %%a : %s\ncore.ret %%r'%(b,ty,a,ty))
        un('%s_complement_%s'%(a,ty),ty,'-core.and -core.or -core.xor','%%c = core.const %s : %s\n%%n = core.xor %%x, %%c : %s\n%%r = core.%s %%n, %%x : %s\ncore.ret %%r'%(ones,ty,ty,a,ty))
        bi('%s_twice_%s'%(a,ty),ty,'',"%%a = core.%s %%x, %%y : %s\n%%r = core.%s %%a, %%y : %s\ncore.ret %%r"%(a,ty,a,ty))
for op,v in [('and',12&10),('or',12|10),('xor',12^10)]:
    un(op+'_constants','i64','+core.const_%d'%v,'%%a = core.const 12 : i64\n%%b = core.const 10 : i64\n%%s = core.%s %%x, %%a : i64\n%%r = core.%s %%s, %%b : i64\ncore.ret %%r'%(op,op))
un('not_not','bool','-core.xor','%c = core.const true : bool\n%a = core.xor %x, %c : bool\n%r = core.xor %a, %c : bool\ncore.ret %r')
def rel(name,ty,expect,lines,opts={},n=2):
    ps='%%x: %s, %%y: %s'%(ty,ty) if n==2 else '%x: '+ty
    cases.append((name,ps,'bool',expect,lines,opts))
inv={'lt':'ge','le':'gt','gt':'le','ge':'lt','eq':'ne','ne':'eq'}
for p in inv:
    rel('not_cmp_%s'%p,'i64','-core.xor +core.cmp.%s'%inv[p],'%%a = core.cmp.%s %%x, %%y : bool\n%%c = core.const true : bool\n%%r = core.xor %%a, %%c : bool\ncore.ret %%r'%p)
    ex='-core.xor' if p in('eq','ne') else '+core.xor'
    rel('not_cmp_float_%s'%p,'f64',ex,'%%a = core.cmp.%s %%x, %%y : bool\n%%c = core.const true : bool\n%%r = core.xor %%a, %%c : bool\ncore.ret %%r'%p)
emit('bits','',cases)

cases=[]
sw={'lt':'gt','le':'ge','gt':'lt','ge':'le','eq':'eq','ne':'ne'}
for p in inv:
    rel('constant_left_%s'%p,'i64','+core.cmp.%s'%sw[p],'%%c = core.const 5 : i64\n%%r = core.cmp.%s %%c, %%x : bool\ncore.ret %%r'%p,n=1)
    for ty in ['i64','u8','bool']:
        rel('same_%s_%s'%(p,ty),ty,'-core.cmp','%%r = core.cmp.%s %%x, %%x : bool\ncore.ret %%r'%p,n=1)
    rel('same_%s_f64'%p,'f64','-core.cmp' if p in('lt','gt') else '+core.cmp','%%r = core.cmp.%s %%x, %%x : bool\ncore.ret %%r'%p,n=1)
    for ty,lo,hi in [('i8',-128,127),('u8',0,255)]:
        for e,v in [('min',lo),('max',hi)]:
            gone=(e=='min' and p in('lt','ge')) or (e=='max' and p in('gt','le'))
            cases.append(('%s_%s_%s'%(p,e,ty),'%%b: buffer<%s>, %%i: bool'%ty,'bool','-core.cmp' if gone else '+core.cmp','%%j = core.cast %%i : i64\n%%x = core.buffer_load %%b, %%j : %s\n%%c = core.const %d : %s\n%%r = core.cmp.%s %%x, %%c : bool\ncore.ret %%r'%(ty,v,ty,p)))
            rel('%s_%s_%s_python'%(p,e,ty),ty,'+core.cmp +core.add','%%o = core.const 3 : %s\n%%s = core.mul %%x, %%o {overflow = "python"} : %s\n%%y = core.add %%s, %%x {overflow = "python"} : %s\n%%c = core.const %d : %s\n%%r = core.cmp.%s %%y, %%c : bool\ncore.ret %%r'%(ty,ty,ty,v,ty,p),n=1)
    for c in ['true','false']:
        rel('bool_%s_%s'%(p,c),'bool','-core.cmp' if p in('eq','ne') else '','%%c = core.const %s : bool\n%%r = core.cmp.%s %%x, %%c : bool\ncore.ret %%r'%(c,p),n=1)
    for m in ['python','wrap']:
        o=P if m=='python' else {}
        fires=m=='python' or p in('eq','ne')
        for (op,a,b) in [('add',5,7),('add',100,-100),('sub',5,120),('sub',-100,100)]:
            nm=('%s_%d_%d'%(op,a,b)).replace('-','m')
            rel('offset_%s_%s_%s'%(nm,p,m),'i8','+core.'+op if not fires or (a, m) == (100, 'python') else '-core.'+op,'%%a = core.const %d : i8\n%%b = core.const %d : i8\n%%s = core.%s %%x, %%a %s : i8\n%%r = core.cmp.%s %%s, %%b : bool\ncore.ret %%r'%(a,b,op,O(m),p),o,n=1)
        rel('difference_%s_%s'%(p,m),'i8','-core.sub' if fires else '+core.sub','%%d = core.sub %%x, %%y %s : i8\n%%z = core.const 0 : i8\n%%r = core.cmp.%s %%d, %%z : bool\ncore.ret %%r'%(O(m),p),o)
    rel('offset_%s_checked'%p,'i8','+core.add','%%a = core.const 5 : i8\n%%b = core.const 7 : i8\n%%s = core.add %%x, %%a %s : i8\n%%r = core.cmp.%s %%s, %%b : bool\ncore.ret %%r'%(O('checked'),p),n=1)
    for (a,b) in [('i8','i64'),('u8','i64'),('u8','u64')]:
        rel('widened_%s_%s_%s'%(p,a,b),a,'-core.cast','%%a = core.cast %%x : %s\n%%b = core.cast %%y : %s\n%%r = core.cmp.%s %%a, %%b : bool\ncore.ret %%r'%(b,b,p))
        for c in [7,200,1000]:
            inside = c <= 127 or (c <= 255 and a == 'u8')
            cases.append(('widened_load_%s_%s_%s_%d'%(p,a,b,c),'%%v: buffer<%s>, %%i: bool'%a,'bool','1core.cast' if inside else '-core.cast','%%j = core.cast %%i : i64\n%%x = core.buffer_load %%v, %%j : %s\n%%a = core.cast %%x : %s\n%%c = core.const %d : %s\n%%r = core.cmp.%s %%a, %%c : bool\ncore.ret %%r'%(a,b,c,b,p)))
            rel('widened_%s_%s_%s_%d'%(p,a,b,c),a,'-core.cast' if inside else '+core.cast','%%a = core.cast %%x : %s\n%%c = core.const %d : %s\n%%r = core.cmp.%s %%a, %%c : bool\ncore.ret %%r'%(b,c,b,p),n=1)
        rel('widened_sign_%s'%p if (a,b)==('i8','i64') else 'widened_sign_%s_%s_%s'%(p,a,b),'i8','+core.cast','%%a = core.cast %%x : u64\n%%b = core.cast %%y : u64\n%%r = core.cmp.%s %%a, %%b : bool\ncore.ret %%r'%p)
    for c in [-1,0,1,2]:
        rel(('cast_bool_%s_%d'%(p,c)).replace('-','m'),'bool','-core.cast -core.cmp','%%a = core.cast %%x : i64\n%%c = core.const %d : i64\n%%r = core.cmp.%s %%a, %%c : bool\ncore.ret %%r'%(c,p),n=1)
        rel(('select_constants_%s_%d'%(p,c)).replace('-','m'),'bool','-core.select -core.cmp','%%o = core.const 1 : i64\n%%z = core.const 0 : i64\n%%a = core.select %%x, %%o, %%z : i64\n%%c = core.const %d : i64\n%%r = core.cmp.%s %%a, %%c : bool\ncore.ret %%r'%(c,p),n=1)
def sel(name,params,res,expect,lines,opts={}): cases.append((name,params,res,expect,lines,opts))
sel('select_same','%c: bool, %x: i64','i64','-core.select','%r = core.select %c, %x, %x : i64\ncore.ret %r')
sel('select_true','%x: i64, %y: i64','i64','-core.select','%c = core.const true : bool\n%r = core.select %c, %x, %y : i64\ncore.ret %r')
sel('select_false','%x: i64, %y: i64','i64','-core.select','%c = core.const false : bool\n%r = core.select %c, %x, %y : i64\ncore.ret %r')
sel('select_true_false','%c: bool','bool','-core.select','%t = core.const true : bool\n%f = core.const false : bool\n%r = core.select %c, %t, %f : bool\ncore.ret %r')
sel('select_false_true','%c: bool','bool','-core.select +core.xor','%t = core.const true : bool\n%f = core.const false : bool\n%r = core.select %c, %f, %t : bool\ncore.ret %r')
sel('select_and','%c: bool, %x: bool','bool','-core.select +core.and','%f = core.const false : bool\n%r = core.select %c, %x, %f : bool\ncore.ret %r')
sel('select_or','%c: bool, %x: bool','bool','-core.select +core.or','%t = core.const true : bool\n%r = core.select %c, %t, %x : bool\ncore.ret %r')
sel('select_not','%c: bool, %x: i64, %y: i64','i64','-core.xor +core.select','%t = core.const true : bool\n%n = core.xor %c, %t : bool\n%r = core.select %n, %x, %y : i64\ncore.ret %r')
sel('select_select_true','%c: bool, %x: i64, %y: i64, %z: i64','i64','1core.select','%a = core.select %c, %x, %z : i64\n%r = core.select %c, %a, %y : i64\ncore.ret %r')
sel('select_select_false','%c: bool, %x: i64, %y: i64, %z: i64','i64','1core.select','%a = core.select %c, %z, %x : i64\n%r = core.select %c, %y, %a : i64\ncore.ret %r')
for p in ['eq','ne']:
    sel('select_%s'%p,'%x: i64, %y: i64','i64','-core.select','%%c = core.cmp.%s %%x, %%y : bool\n%%r = core.select %%c, %%x, %%y : i64\ncore.ret %%r'%p)
    sel('select_%s_swapped'%p,'%x: i64, %y: i64','i64','-core.select','%%c = core.cmp.%s %%y, %%x : bool\n%%r = core.select %%c, %%x, %%y : i64\ncore.ret %%r'%p)
    sel('select_%s_float'%p,'%x: f64, %y: f64','f64','+core.select','%%c = core.cmp.%s %%x, %%y : bool\n%%r = core.select %%c, %%x, %%y : f64\ncore.ret %%r'%p)
emit('cmp','',cases)

cases=[]
TYS=['bool','i8','u8','i16','i32','u32','i64','u64','index','f16','bf16','f32','f64']
for a in TYS:
    for b in TYS:
        for c in TYS:
            if b in(a,) or c==b: continue
            if a[0] in 'fb' and a!='bool' and b[0] not in 'fb': continue
            cases.append(('cast_%s_%s_%s'%(a,b,c),'%x: '+a,c,'','%%m = core.cast %%x : %s\n%%r = core.cast %%m : %s\ncore.ret %%r'%(b,c)))
cases=[c for i,c in enumerate(cases) if i%3==0]
def cs(a,b,c,ex): cases.append(('chain_%s_%s_%s'%(a,b,c),'%x: '+a,c,ex,'%%m = core.cast %%x : %s\n%%r = core.cast %%m : %s\ncore.ret %%r'%(b,c)))
cs('i8','i64','i8','-core.cast'); cs('i64','i8','i64','2core.cast'); cs('i32','i64','f64','1core.cast'); cs('f32','f64','f32','-core.cast'); cs('i32','f64','i32','-core.cast')
cs('i64','f64','i64','2core.cast'); cs('i64','i32','i16','1core.cast'); cs('u8','i16','i64','1core.cast'); cs('bool','i64','f64','1core.cast'); cs('f64','f32','f64','2core.cast'); cs('i64','bool','i64','2core.cast'); cs('index','i64','index','-core.cast'); cs('f16','f64','f16','-core.cast'); cs('i64','u64','i64','-core.cast')
cases.append(('cast_same','%x: i64','i64','-core.cast','%r = core.cast %x : i64\ncore.ret %r'))
emit('cast','',cases)

cases=[]
G='{kind = "contract"}'
def fl(name,params,res,expect,body,opts={}): cases.append((name,params,res,expect,body,opts))
fl('branch_on_constant','%x: i64, %y: i64','i64','-core.cond_br -core.br','''^entry:
%c = core.const true : bool
core.cond_br %c, ^a(%x), ^b
^a(%p: i64):
core.ret %p
^b:
core.ret %y''')
fl('branch_one_target','%c: bool, %x: i64','i64','-core.cond_br -core.br','''^entry:
core.cond_br %c, ^a(%x), ^a(%x)
^a(%p: i64):
core.ret %p''')
fl('branch_one_target_select','%c: bool, %x: i64, %y: i64','i64','-core.cond_br -core.br +core.select','''^entry:
core.cond_br %c, ^a(%x), ^a(%y)
^a(%p: i64):
core.ret %p''')
fl('branch_on_not','%c: bool, %x: i64, %y: i64','i64','-core.xor +core.cond_br','''^entry:
%t = core.const true : bool
%n = core.xor %c, %t : bool
core.cond_br %n, ^a, ^b(%y)
^a:
core.guard %c '''+G+'''
core.ret %x
^b(%q: i64):
core.ret %q''')
fl('chain_of_blocks','%x: i64','i64','-core.br','''^entry:
core.br ^a(%x)
^a(%p: i64):
%q = core.add %p, %p {overflow = "python"} : i64
core.br ^b(%q)
^b(%r: i64):
%s = core.sub %r, %x {overflow = "checked"} : i64
core.br ^c
^c:
core.ret %s''')
fl('skip_empty_block','%c: bool, %x: i64, %y: i64','i64','1core.br','''^entry:
core.cond_br %c, ^a, ^b
^a:
core.br ^join(%x)
^b:
core.guard %c '''+G+'''
core.br ^join(%y)
^join(%p: i64):
%q = core.mul %p, %p {overflow = "python"} : i64
core.ret %q''')
fl('skip_empty_block_with_argument','%c: bool, %x: i64, %y: i64','i64','-core.br','''^entry:
core.cond_br %c, ^a(%x), ^a(%y)
^a(%p: i64):
core.cond_br %c, ^b(%p), ^c(%p)
^b(%q: i64):
core.br ^join(%q)
^c(%r: i64):
core.br ^join(%r)
^join(%s: i64):
core.ret %s''')
fl('cycle_of_empty_blocks','%c: bool, %x: i64','i64','','''^entry:
%t = core.cmp.eq %x, %x : bool
core.cond_br %t, ^done, ^a
^a:
core.br ^b
^b:
core.br ^a
^done:
core.ret %x''')
fl('known_on_the_taken_way','%c: bool, %x: i64, %y: i64','i64','1core.cond_br','''^entry:
core.cond_br %c, ^a, ^b
^a:
%s = core.add %x, %y {overflow = "checked"} : i64
core.cond_br %c, ^done(%s), ^b
^b:
core.ret %y
^done(%r: i64):
core.ret %r''')
fl('known_on_the_other_way','%c: bool, %x: i64, %y: i64','i64','1core.cond_br','''^entry:
core.cond_br %c, ^b, ^a
^a:
%s = core.add %x, %y {overflow = "checked"} : i64
core.cond_br %c, ^b, ^done(%s)
^b:
core.ret %y
^done(%r: i64):
core.ret %r''')
fl('guard_true','%x: i64','i64','-core.guard','%t = core.const true : bool\ncore.guard %t '+G+'\ncore.ret %x')
fl('guard_false','%x: i64','i64','+core.guard','%t = core.const false : bool\ncore.guard %t '+G+'\ncore.ret %x')
fl('guard_twice','%c: bool, %x: i64','i64','1core.guard','core.guard %c '+G+'\ncore.guard %c '+G+'\ncore.ret %x')
fl('guard_twice_labels','%c: bool, %x: i64','i64','1core.guard','core.guard %c {kind = "contract", label = "raised"}\ncore.guard %c '+G+'\ncore.ret %x')
fl('guard_part_of_guarded','%c: bool, %d: bool, %x: i64','i64','1core.guard','%a = core.and %c, %d : bool\ncore.guard %a '+G+'\ncore.guard %d '+G+'\ncore.ret %x')
fl('guard_of_guarded_parts','%c: bool, %d: bool, %x: i64','i64','2core.guard','core.guard %c '+G+'\ncore.guard %d '+G+'\n%a = core.and %c, %d : bool\ncore.guard %a '+G+'\ncore.ret %x')
fl('guard_either_of_guarded','%c: bool, %d: bool, %x: i64','i64','1core.guard','core.guard %c '+G+'\n%a = core.or %c, %d : bool\ncore.guard %a '+G+'\ncore.ret %x')
fl('guard_whole_of_guarded_part_stays','%c: bool, %d: bool, %x: i64','i64','2core.guard','core.guard %c '+G+'\n%a = core.and %c, %d : bool\ncore.guard %a '+G+'\ncore.ret %x')
fl('guard_part_of_either_stays','%c: bool, %d: bool, %x: i64','i64','2core.guard','%a = core.or %c, %d : bool\ncore.guard %a '+G+'\ncore.guard %d '+G+'\ncore.ret %x')
fl('guard_after_branch','%c: bool, %x: i64','i64','-core.guard','''^entry:
core.cond_br %c, ^a, ^b
^a:
core.guard %c '''+G+'''
core.ret %x
^b:
%z = core.const 0 : i64
core.ret %z''')
fl('guard_after_other_branch','%c: bool, %x: i64','i64','1core.guard','''^entry:
core.cond_br %c, ^a, ^b
^a:
core.ret %x
^b:
core.guard %c '''+G+'''
%z = core.const 0 : i64
core.ret %z''')
fl('guard_not_after_branch','%c: bool, %x: i64','i64','-core.guard','''^entry:
core.cond_br %c, ^a, ^b
^a:
core.ret %x
^b:
%t = core.const true : bool
%n = core.xor %c, %t : bool
core.guard %n '''+G+'''
%z = core.const 0 : i64
core.ret %z''')
fl('guard_at_join_stays','%c: bool, %x: i64','i64','1core.guard','''^entry:
core.cond_br %c, ^a, ^b
^a:
%s = core.add %x, %x {overflow = "checked"} : i64
core.br ^b
^b:
core.guard %c '''+G+'''
core.ret %x''')
fl('branch_after_guard','%c: bool, %x: i64, %y: i64','i64','-core.cond_br','''^entry:
core.guard %c '''+G+'''
core.cond_br %c, ^a, ^b
^a:
core.ret %x
^b:
core.ret %y''')
fl('loop','%n: u8, %x: i64','i64','1core.cond_br','''^entry:
%z = core.const 0 : u8
%o = core.const 1 : u8
core.br ^head(%z, %x)
^head(%i: u8, %a: i64):
%c = core.cmp.lt %i, %n : bool
core.cond_br %c, ^body, ^exit
^body:
core.br ^more
^more:
%b = core.add %a, %a {overflow = "wrap"} : i64
core.guard %c '''+G+'''
core.br ^latch
^latch:
%j = core.add %i, %o {overflow = "proven"} : u8
core.br ^head(%j, %b)
^exit:
core.ret %a''')
for c in list(cases):
    cases.append((c[0]+'_cfg',)+c[1:3]+('' if 'guard' in c[0] or c[0]=='branch_on_not' or 'select' in c[0] else c[3].replace('-core.xor ',''),c[4],{'pipeline':'simplify-cfg'}))
for c in list(cases):
    if not c[0].endswith('_cfg'): cases.append((c[0]+'_all',)+c[1:3]+('',c[4],{'pipeline':'canonicalize,cse,sccp,simplify-cfg,constant-fold,dce,canonicalize'}))
emit('flow','',cases)

cases=[]
fl('load_of_stored','%x: i64, %p: ptr<i64>','i64','-core.load','core.store %x, %p\n%r = core.load %p : i64\ncore.ret %r')
fl('load_of_loaded','%p: ptr<i64>','i64','1core.load','%a = core.load %p : i64\n%b = core.load %p : i64\n%r = core.add %a, %b {overflow = "wrap"} : i64\ncore.ret %r')
fl('load_of_zeroed','%x: i64','i64','-core.load','%p = core.alloca : ptr<i64, stack>\n%r = core.load %p : i64\ncore.ret %r')
fl('load_of_zeroed_float','%x: i64','f32','-core.load','%p = core.alloca : ptr<f32, stack>\n%r = core.load %p : f32\ncore.ret %r')
fl('load_past_guard','%x: i64, %c: bool, %p: ptr<i64>','i64','-core.load 1core.guard','core.store %x, %p\ncore.guard %c '+G+'\n%r = core.load %p : i64\ncore.ret %r')
fl('load_past_other_element','%x: i64, %y: i64, %p: ptr<i64>','i64','-core.load','%o = core.const 1 : i64\n%q = core.ptr_offset %p, %o : ptr<i64>\ncore.store %x, %p\ncore.store %y, %q\n%r = core.load %p : i64\ncore.ret %r')
fl('load_past_any_element_stays','%x: i64, %y: i64, %i: bool, %p: ptr<i64>','i64','+core.load','%j = core.cast %i : i64\n%q = core.ptr_offset %p, %j : ptr<i64>\ncore.store %x, %p\ncore.store %y, %q\n%r = core.load %p : i64\ncore.ret %r')
fl('load_past_other_parameter_stays','%x: i64, %y: i64, %p: ptr<i64>, %q: ptr<i64>','i64','+core.load','core.store %x, %p\ncore.store %y, %q\n%r = core.load %p : i64\ncore.ret %r')
fl('load_of_local_past_foreign','%x: i64, %y: i64, %q: ptr<i64>','i64','-core.load','%p = core.alloca : ptr<i64, stack>\ncore.store %x, %p\ncore.store %y, %q\n%r = core.load %p : i64\ncore.ret %r')
fl('load_past_buffer_store_stays','%x: i64, %y: i64, %b: buffer<i64>','i64','+core.load','%z = core.const 0 : i64\n%p = core.buffer_data %b : ptr<i64>\ncore.store %x, %p\ncore.buffer_store %y, %b, %z\n%r = core.load %p : i64\ncore.ret %r')
fl('store_overwritten','%x: i64, %y: i64, %p: ptr<i64>','i64','1core.store','core.store %x, %p\ncore.store %y, %p\ncore.ret %x')
fl('store_overwritten_past_guard_stays','%x: i64, %y: i64, %c: bool, %p: ptr<i64>','i64','2core.store','core.store %x, %p\ncore.guard %c '+G+'\ncore.store %y, %p\ncore.ret %x')
fl('store_overwritten_past_failure_stays','%x: i64, %y: i64, %p: ptr<i64>','i64','2core.store','core.store %x, %p\n%s = core.add %x, %y {overflow = "python"} : i64\ncore.store %s, %p\ncore.ret %x')
fl('local_store_overwritten_past_guard','%x: i64, %y: i64, %c: bool, %d: bool','i64','-core.store','%p = core.alloca : ptr<i64, stack>\ncore.store %x, %p\ncore.guard %c '+G+'\ncore.store %y, %p\ncore.guard %d '+G+'\n%r = core.load %p : i64\ncore.ret %r')
fl('store_overwritten_past_load_stays','%x: i64, %y: i64, %p: ptr<i64>, %q: ptr<i64>','i64','2core.store','core.store %x, %p\n%a = core.load %q : i64\ncore.store %y, %p\ncore.ret %a')
fl('store_of_loaded','%p: ptr<i64>, %c: bool','i64','-core.store','%a = core.load %p : i64\ncore.guard %c '+G+'\ncore.store %a, %p\ncore.ret %a')
fl('store_of_loaded_past_write_stays','%p: ptr<i64>, %q: ptr<i64>, %x: i64','i64','2core.store','%a = core.load %p : i64\ncore.store %x, %q\ncore.store %a, %p\ncore.ret %a')
fl('store_never_read','%x: i64, %c: bool','i64','-core.store -core.alloca','''^entry:
%p = core.alloca : ptr<i64, stack>
core.cond_br %c, ^a, ^b
^a:
core.store %x, %p
core.br ^b
^b:
core.ret %x''')
fl('buffer_of_parts','%p: ptr<i64>, %i: bool','i64','-core.call_intrinsic -core.buffer_len','%n = core.const 4 : i64\n%b = core.call_intrinsic %p, %n {intrinsic = "ppy.buffer_from_parts"} : buffer<i64>\n%l = core.buffer_len %b : index\n%m = core.cast %l : i64\n%q = core.buffer_data %b : ptr<i64>\n%j = core.cast %i : i64\n%e = core.ptr_offset %q, %j : ptr<i64>\n%v = core.load %e : i64\n%r = core.xor %v, %m : i64\ncore.ret %r')
fl('offset_0','%p: ptr<i64>','i64','-core.ptr_offset','%z = core.const 0 : i64\n%q = core.ptr_offset %p, %z : ptr<i64>\n%r = core.load %q : i64\ncore.ret %r')
fl('offset_of_offset','%p: ptr<i64>','i64','1core.ptr_offset','%z = core.const 1 : i64\n%y = core.const 2 : i64\n%q = core.ptr_offset %p, %z : ptr<i64>\n%s = core.ptr_offset %q, %y : ptr<i64>\n%r = core.load %s : i64\ncore.ret %r')
fl('tuple_of_parts','%x: i64, %y: f64','f64','-core.tuple_make -core.tuple_extract','%t = core.tuple_make %x, %y : tuple<i64, f64>\n%r = core.tuple_extract %t {index = 1} : f64\ncore.ret %r')
fl('struct_of_parts','%x: i64, %y: f64','f64','-core.struct_make -core.struct_extract','%t = core.struct_make %x, %y : struct<P, a: i64, b: f64>\n%r = core.struct_extract %t {field = "b"} : f64\ncore.ret %r')
for i,(op,a,b) in enumerate([('add',100,27),('add',100,28),('sub',-100,28),('sub',-100,29),('mul',-64,2),('mul',64,2)]):
    fl('checked_constants_%s_%d'%(op,i),'%x: i8','tuple<i8, bool>','-core.call_intrinsic','%%a = core.const %d : i8\n%%b = core.const %d : i8\n%%v, %%o = core.call_intrinsic %%a, %%b {intrinsic = "ppy.checked_%s"} : i8, bool\n%%t = core.tuple_make %%v, %%o : tuple<i8, bool>\ncore.ret %%t'%(a,b,op))
fl('checked_add_0','%x: i8','tuple<i8, bool>','-core.call_intrinsic','%b = core.const 0 : i8\n%v, %o = core.call_intrinsic %x, %b {intrinsic = "ppy.checked_add"} : i8, bool\n%t = core.tuple_make %v, %o : tuple<i8, bool>\ncore.ret %t')
fl('checked_mul_1','%x: i8','tuple<i8, bool>','-core.call_intrinsic','%b = core.const 1 : i8\n%v, %o = core.call_intrinsic %x, %b {intrinsic = "ppy.checked_mul"} : i8, bool\n%t = core.tuple_make %v, %o : tuple<i8, bool>\ncore.ret %t')
fl('fabs_of_constant','%x: i8','f64','-core.call_intrinsic','%b = core.const -2.5 : f64\n%r = core.call_intrinsic %b {intrinsic = "math.fabs"} : f64\ncore.ret %r')
for c in list(cases): cases.append((c[0]+'_all',)+c[1:3]+('',c[4],{'pipeline':'mem2reg,canonicalize,cse,sccp,simplify-cfg,dce,canonicalize'}))
emit('memory','',cases)

cases=[]
for f in ['f64','f32','f16','bf16']:
    for a in ['floor','ceil','trunc']:
        for b in ['floor','ceil','trunc']:
            un('%s_%s_%s'%(a,b,f),f,'1math.'+b+('' if a==b else ' -math.'+a),'%%a = math.%s %%x : %s\n%%r = math.%s %%a : %s\ncore.ret %%r'%(b,f,a,f))
        cases.append(('%s_int_%s'%(a,f),'%x: i32',f,'-math.'+a,'%%a = core.cast %%x : %s\n%%r = math.%s %%a : %s\ncore.ret %%r'%(f,a,f)))
    un('abs_abs_'+f,f,'1math.abs','%%a = math.abs %%x : %s\n%%r = math.abs %%a : %s\ncore.ret %%r'%(f,f))
    un('abs_neg_'+f,f,'1math.abs -core.neg','%%a = core.neg %%x : %s\n%%r = math.abs %%a : %s\ncore.ret %%r'%(f,f))
    un('pow_1_'+f,f,'-math.pow','%%c = core.const 1.0 : %s\n%%r = math.pow %%x, %%c : %s\ncore.ret %%r'%(f,f))
    un('pow_0_'+f,f,'-math.pow','%%c = core.const -0.0 : %s\n%%r = math.pow %%x, %%c : %s\ncore.ret %%r'%(f,f))
    un('pow_2_'+f,f,'+math.pow','%%c = core.const 2.0 : %s\n%%r = math.pow %%x, %%c : %s\ncore.ret %%r'%(f,f))
    un('pow_half_'+f,f,'+math.pow','%%c = core.const 0.5 : %s\n%%r = math.pow %%x, %%c : %s\ncore.ret %%r'%(f,f))
    for g in ['sqrt','sin','cos','tan','exp','exp2','log','log2','log10','floor','ceil','trunc','abs']:
        cases.append(('constant_%s_%s'%(g,f),'%x: bool',f,'-math.'+g,'%%c = core.const 2.75 : %s\n%%r = math.%s %%c : %s\ncore.ret %%r'%(f,g,f)))
    cases.append(('constant_pow_%s'%f,'%x: bool',f,'-math.pow','%%c = core.const 2.75 : %s\n%%d = core.const -1.5 : %s\n%%r = math.pow %%c, %%d : %s\ncore.ret %%r'%(f,f,f)))
cases.append(('nan_of_constant','%x: bool','f64','+math.log','%c = core.const -1.0 : f64\n%r = math.log %c : f64\ncore.ret %r'))
emit('math','',cases)

cases=[]
PIPE={'pipeline':'cse,ppy_core.func(eliminate-guards),canonicalize,simplify-cfg,dce'}
def eg(name,params,res,expect,body,more={}): cases.append((name,params,res,expect,body,dict(PIPE,**more)))
eg('guard_across_join','%c: bool, %d: bool, %x: i64','i64','1core.guard','''^entry:
core.guard %c {kind = "contract"}
core.cond_br %d, ^a(%x), ^b
^a(%p: i64):
%s = core.add %p, %p {overflow = "checked"} : i64
core.br ^join(%s)
^b:
%t = core.mul %x, %x {overflow = "checked"} : i64
core.br ^join(%t)
^join(%r: i64):
core.guard %c {kind = "bounds"}
core.ret %r''')
eg('weaker_comparison','%x: i64, %y: i64','i64','1core.guard','%a = core.cmp.lt %x, %y : bool\ncore.guard %a '+G+'\n%b = core.cmp.le %x, %y : bool\ncore.guard %b '+G+'\n%c = core.cmp.ne %y, %x : bool\ncore.guard %c '+G+'\ncore.ret %x')
eg('stronger_comparison_stays','%x: i64, %y: i64','i64','2core.guard','%a = core.cmp.le %x, %y : bool\ncore.guard %a '+G+'\n%b = core.cmp.lt %x, %y : bool\ncore.guard %b '+G+'\ncore.ret %x')
eg('transitive','%x: i64, %y: i64, %z: i64','i64','2core.guard','%a = core.cmp.lt %x, %y : bool\ncore.guard %a '+G+'\n%b = core.cmp.le %y, %z : bool\ncore.guard %b '+G+'\n%c = core.cmp.lt %x, %z : bool\ncore.guard %c '+G+'\ncore.ret %x')
eg('intervals','%x: i64','i64','1core.guard','%c0 = core.const 0 : i64\n%c9 = core.const 9 : i64\n%c20 = core.const 20 : i64\n%a = core.cmp.ge %x, %c0 : bool\n%b = core.cmp.lt %x, %c9 : bool\n%ab = core.and %a, %b : bool\ncore.guard %ab '+G+'\n%y = core.add %x, %c9 {overflow = "python"} : i64\n%c = core.cmp.lt %y, %c20 : bool\ncore.guard %c '+G+'\ncore.ret %y')
eg('proven_sum','%x: i8, %y: i8','i8','0overflow_=_python 0overflow_=_checked','%m = core.const 60 : i8\n%n = core.const -60 : i8\n%a = core.cmp.lt %x, %m : bool\ncore.guard %a '+G+'\n%b = core.cmp.ge %x, %n : bool\ncore.guard %b '+G+'\n%c = core.cmp.le %y, %x : bool\ncore.guard %c '+G+'\n%d = core.cmp.ge %y, %n : bool\ncore.guard %d '+G+'\n%r = core.add %x, %y {overflow = "checked"} : i8\n%s = core.sub %x, %y {overflow = "python"} : i8\n%t = core.xor %r, %s : i8\ncore.ret %t')
eg('type_bound_is_no_bound','%x: i8','bool','+core.guard','%o = core.const 3 : i8\n%m = core.const 127 : i8\n%s = core.add %x, %o {overflow = "python"} : i8\n%r = core.cmp.le %s, %m : bool\ncore.guard %r '+G+'\ncore.ret %r')
eg('loop_index','%n: u8, %b: buffer<i64>','i64','','''^entry:
%z = core.const 0 : i64
%o = core.const 1 : i64
%l = core.buffer_len %b : index
%len = core.cast %l : i64
%m = core.cast %n : i64
core.br ^head(%z, %z)
^head(%i: i64, %a: i64):
%c = core.cmp.lt %i, %m : bool
core.cond_br %c, ^body, ^exit
^body:
%p = core.cmp.ge %i, %z : bool
%q = core.cmp.lt %i, %len : bool
%ok = core.and %p, %q : bool
core.guard %ok {kind = "bounds"}
%v = core.buffer_load %b, %i : i64
%w = core.add %a, %v {overflow = "wrap"} : i64
%q2 = core.cmp.lt %i, %len : bool
%p2 = core.cmp.ge %i, %z : bool
%ok2 = core.and %q2, %p2 : bool
core.guard %ok2 {kind = "bounds"}
%j = core.add %i, %o {overflow = "python"} : i64
core.br ^head(%j, %w)
^exit:
core.ret %a''')
cases[-1]=cases[-1][:3]+('1core.guard -core.and 0overflow_=_python',)+cases[-1][4:]
eg('loop_down','%b: buffer<u8>, %d: bool','i64','','''^entry:
%k = core.cast %d : i64
%n = core.buffer_load %b, %k : u8
%z = core.const 0 : i64
%o = core.const 1 : i64
%m = core.cast %n : i64
core.br ^head(%m, %z)
^head(%i: i64, %a: i64):
%c = core.cmp.gt %i, %z : bool
core.cond_br %c, ^body, ^exit
^body:
%t = core.const 300 : i64
%ok = core.cmp.lt %i, %t : bool
core.guard %ok {kind = "bounds"}
%w = core.add %a, %i {overflow = "wrap"} : i64
%j = core.sub %i, %o {overflow = "checked"} : i64
core.br ^head(%j, %w)
^exit:
core.ret %a''')
cases[-1]=cases[-1][:3]+('-core.guard',)+cases[-1][4:]
eg('other_iteration_stays','%n: u8, %b: buffer<i64>','i64','','''^entry:
%z = core.const 0 : i64
%o = core.const 1 : i64
%m = core.cast %n : i64
%k = core.const 3 : i64
core.br ^head(%z, %z)
^head(%i: i64, %last: i64):
%c = core.cmp.lt %i, %m : bool
core.cond_br %c, ^body, ^exit
^body:
%x = core.and %i, %k : i64
%v = core.buffer_load %b, %x : i64
%p = core.cmp.ge %v, %z : bool
core.guard %p {kind = "contract"}
%q = core.cmp.ge %last, %z : bool
core.guard %q {kind = "range"}
%j = core.add %i, %o {overflow = "python"} : i64
core.br ^head(%j, %v)
^exit:
core.ret %last''')
cases[-1]=cases[-1][:3]+('2core.guard',)+cases[-1][4:]
eg('division_by_positive','%x: i64, %y: i64','i64','0overflow_=_python','%z = core.const 0 : i64\n%a = core.cmp.gt %y, %z : bool\ncore.guard %a {kind = "zero_division"}\n%r = core.div %x, %y {overflow = "python", rounding = "floor"} : i64\n%s = core.mod %x, %y {overflow = "python", rounding = "floor"} : i64\n%t = core.xor %r, %s : i64\ncore.ret %t')
eg('division_by_nonzero_stays','%x: i64, %y: i64','i64','2overflow_=_python','%z = core.const 0 : i64\n%a = core.cmp.ne %y, %z : bool\ncore.guard %a {kind = "zero_division"}\n%r = core.div %x, %y {overflow = "python", rounding = "floor"} : i64\n%s = core.mod %x, %y {overflow = "python", rounding = "floor"} : i64\n%t = core.xor %r, %s : i64\ncore.ret %t')
eg('bytes','%b: buffer<u8>, %i: bool','i64','-core.guard','%j = core.cast %i : i64\n%v = core.buffer_load %b, %j : u8\n%w = core.cast %v : i64\n%z = core.const 0 : i64\n%m = core.const 256 : i64\n%p = core.cmp.ge %w, %z : bool\n%q = core.cmp.lt %w, %m : bool\n%a = core.and %p, %q : bool\ncore.guard %a '+G+'\n%r = core.mul %w, %w {overflow = "python"} : i64\ncore.ret %r')
cases[-1]=cases[-1][:3]+('-core.guard 0overflow_=_python',)+cases[-1][4:]
eg('masked','%x: i64','i64','-core.guard','%m = core.const 15 : i64\n%k = core.const 16 : i64\n%y = core.and %x, %m : i64\n%a = core.cmp.lt %y, %k : bool\ncore.guard %a '+G+'\ncore.ret %y')
eg('remainder','%x: i64','i64','-core.guard','%k = core.const 16 : i64\n%z = core.const 0 : i64\n%y = core.mod %x, %k {overflow = "python", rounding = "floor"} : i64\n%a = core.cmp.lt %y, %k : bool\n%b = core.cmp.ge %y, %z : bool\n%c = core.and %a, %b : bool\ncore.guard %c '+G+'\ncore.ret %y')
NATURAL='''^entry:
%z = core.const 0 : i64
%p = core.cmp.ge %x, %z : bool
%q = core.cmp.ge %y, %z : bool
%ok = core.and %p, %q : bool
core.guard %ok {kind = "contract"}
'''
# By induction: both stay at 0 or above, so the division may round towards 0.
eg('natural_around_a_loop','%x: i64, %y: i64','i64','1rounding_=_trunc 0overflow_=_python',NATURAL+'''core.br ^head(%x, %y)
^head(%a: i64, %b: i64):
%c = core.cmp.ne %b, %z : bool
core.cond_br %c, ^body, ^exit
^body:
%r = core.mod %a, %b {overflow = "python", rounding = "floor"} : i64
core.br ^head(%b, %r)
^exit:
core.ret %a''')
# The way around passes what may be negative: what starts at 0 or above does not stay there.
eg('not_natural_around_a_loop','%x: i64, %y: i64','i64','1rounding_=_floor',NATURAL+'''%o = core.const 1 : i64
core.br ^head(%x, %y)
^head(%a: i64, %b: i64):
%c = core.cmp.gt %b, %z : bool
core.cond_br %c, ^body, ^exit
^body:
%t = core.sub %a, %o {overflow = "wrap"} : i64
%r = core.mod %a, %b {overflow = "python", rounding = "floor"} : i64
%h = core.shr %b, %o : i64
%d = core.sub %h, %o {overflow = "wrap"} : i64
%s = core.sub %r, %t {overflow = "wrap"} : i64
core.br ^head(%s, %d)
^exit:
core.ret %a''')
# What a branch says of this time around is not so of what the last time around passed.
eg('known_this_time_around','%x: i64, %y: i64','i64','1rounding_=_floor',NATURAL+'''%o = core.const 1 : i64
%k = core.const 7 : i64
%min = core.const -9223372036854775808 : i64
core.br ^head(%x, %y, %z)
^head(%a: i64, %b: i64, %sum: i64):
%c = core.cmp.gt %b, %z : bool
core.cond_br %c, ^body, ^exit
^body:
%h = core.shr %b, %o : i64
%s = core.xor %a, %min : i64
%n = core.cmp.ge %s, %z : bool
core.cond_br %n, ^negative, ^other
^negative:
%r = core.mod %a, %k {overflow = "wrap", rounding = "floor"} : i64
%t = core.add %sum, %r {overflow = "wrap"} : i64
core.br ^head(%s, %h, %t)
^other:
core.br ^head(%s, %h, %sum)
^exit:
core.ret %sum''')
eg('natural_operands','%x: i64, %y: i64','i64','2rounding_=_trunc 0overflow_=_python',NATURAL+'''%n = core.cmp.ne %y, %z : bool
core.guard %n {kind = "zero_division"}
%q1 = core.div %x, %y {overflow = "python", rounding = "floor"} : i64
%r1 = core.mod %q1, %y {overflow = "python", rounding = "floor"} : i64
core.ret %r1''')
# The sign of a remainder decides nothing where a divisor of 0 would fail: unread, it would not.
eg('remainder_by_0_fails','%x: i64, %y: i64','bool','+core.mod',NATURAL+'''%r = core.mod %x, %y {overflow = "python", rounding = "floor"} : i64
%s = core.cmp.ge %r, %z : bool
core.ret %s''')
eg('signs_differ','%x: i64, %y: i64','i64','2rounding_=_floor','''%z = core.const 0 : i64
%p = core.cmp.lt %y, %z : bool
core.guard %p {kind = "contract"}
%r = core.mod %x, %y {overflow = "wrap", rounding = "floor"} : i64
%q = core.div %x, %y {overflow = "wrap", rounding = "floor"} : i64
%s = core.xor %r, %q : i64
core.ret %s''')
emit('guards','',cases)

cases=[]
CONVERT={'pipeline':'ppy_core.func(if-convert),canonicalize'}
# Starts near an end of the range, and goes three times around a loop with one side of a branch in it.
def ic(name,base,side,expect,mode='python'):
    cases.append((name,'%x: i8, %y: i64, %c: bool','i64','','''^entry:
%z = core.const 0 : i64
%o = core.const 1 : i64
%k = core.const 3 : i64
%base = core.const '''+str(base)+''' : i64
%w = core.cast %x : i64
%near = core.add %w, %base {overflow = "wrap"} : i64
%s = core.select %c, %near, %y : i64
core.br ^head(%s, %z)
^head(%n: i64, %i: i64):
%more = core.cmp.lt %i, %k : bool
core.cond_br %more, ^body, ^exit
^body:
%bit = core.and %n, %o : i64
%odd = core.cmp.ne %bit, %z : bool
core.cond_br %odd, ^yes, ^no
^yes:
'''+side.replace('MODE','{overflow = "%s"} : i64'%mode)+'''
core.br ^join(%r)
^no:
%half = core.shr %n, %o : i64
core.br ^join(%half)
^join(%m: i64):
%j = core.add %i, %o {overflow = "proven"} : i64
core.br ^head(%m, %j)
^exit:
core.ret %n''',CONVERT))
    cases[-1]=cases[-1][:3]+(expect,)+cases[-1][4:]
third=(2**63-1)//3
ic('three_n_plus_1',third,'%a = core.mul %n, %k MODE\n%r = core.add %a, %o MODE','1core.cond_br 1core.guard 0overflow_=_python')
ic('three_n_plus_1_low',-third,'%a = core.mul %n, %k MODE\n%r = core.add %a, %o MODE','1core.cond_br 1core.guard 0overflow_=_python')
ic('checked_product_may_fail_before_its_sum',third,'%a = core.mul %n, %k MODE\n%b = core.const 100 : i64\n%r = core.sub %a, %b MODE','1core.cond_br 1core.guard 0overflow_=_checked',mode='checked')
ic('times_nine_minus',-(2**63//9),'%f = core.const 9 : i64\n%b = core.const 7 : i64\n%a = core.mul %n, %f MODE\n%r = core.sub %a, %b MODE','1core.cond_br 1core.guard 0overflow_=_python')
ic('a_constant_away',2**63-1,'%b = core.const 5 : i64\n%r = core.add %n, %b MODE','1core.cond_br 1core.guard 0overflow_=_python')
ic('a_constant_away_and_back',2**63-1,'%b = core.const 5 : i64\n%d = core.const 9 : i64\n%a = core.add %n, %b MODE\n%r = core.sub %a, %d MODE','1core.cond_br 1core.guard 0overflow_=_checked',mode='checked')
ic('two_ranges',third//5,'%f = core.const 5 : i64\n%b = core.const 3 : i64\n%a = core.add %n, %b MODE\n%d = core.mul %a, %f MODE\n%r = core.add %d, %o MODE','1core.cond_br 1core.guard 0overflow_=_python')
# Sums of two variables would need a flag.
ic('sum_of_variables_stays',0,'%r = core.add %n, %y MODE','2core.cond_br 0core.guard 1overflow_=_python')
# Never negative, so only the upper end is asked for.
cases.append(('natural_three_n_plus_1','%x: u8, %h: u8','i64','1core.cond_br 1core.guard 0core.sub','''^entry:
%z = core.const 0 : i64
%o = core.const 1 : i64
%k = core.const 3 : i64
%limit = core.const 40 : i64
%mask = core.const 7 : i64
%u = core.cast %h : i64
%v = core.cast %x : i64
core.br ^head(%u, %z)
^head(%n: i64, %i: i64):
%more = core.cmp.lt %i, %limit : bool
core.cond_br %more, ^body, ^exit
^body:
%bit = core.and %i, %mask : i64
%grow = core.cmp.ne %bit, %v : bool
core.cond_br %grow, ^yes, ^no
^yes:
%a = core.mul %n, %k {overflow = "python"} : i64
%r = core.add %a, %o {overflow = "python"} : i64
core.br ^join(%r)
^no:
%half = core.shr %n, %o : i64
core.br ^join(%half)
^join(%m: i64):
%j = core.add %i, %o {overflow = "proven"} : i64
core.br ^head(%m, %j)
^exit:
core.ret %n''',CONVERT))
emit('convert','',cases)

cases=[]
RANGE={'pipeline':'int-range-optimizations,canonicalize,dce'}
def ir(name,params,res,expect,body): cases.append((name,params,res,expect,body,RANGE))
ir('python_sum_and_the_end_of_its_type','%x: i8','bool','+core.guard','%o = core.const 3 : i8\n%m = core.const 127 : i8\n%s = core.add %x, %o {overflow = "python"} : i8\n%r = core.cmp.le %s, %m : bool\ncore.guard %r {kind = "contract"}\ncore.ret %r')
ir('widened_python_sum','%x: i8','bool','+core.guard','%o = core.const 3 : i8\n%m = core.const 127 : i64\n%s = core.add %x, %o {overflow = "python"} : i8\n%w = core.cast %s : i64\n%r = core.cmp.le %w, %m : bool\ncore.guard %r {kind = "contract"}\ncore.ret %r')
ir('always_overflows','%x: bool','i8','+core.add','%b = core.cast %x : i8\n%m = core.const 126 : i8\n%o = core.const 2 : i8\n%a = core.add %b, %m {overflow = "python"} : i8\n%s = core.add %a, %o {overflow = "python"} : i8\ncore.ret %s')
ir('masked','%x: i64','i64','-core.guard','%m = core.const 15 : i64\n%k = core.const 16 : i64\n%y = core.and %x, %m : i64\n%a = core.cmp.lt %y, %k : bool\ncore.guard %a {kind = "contract"}\ncore.ret %y')
ir('masked_sum','%x: i64, %y: i64','i64','-core.guard','%m = core.const 15 : i64\n%k = core.const 30 : i64\n%a = core.and %x, %m : i64\n%b = core.and %y, %m : i64\n%s = core.add %a, %b {overflow = "python"} : i64\n%c = core.cmp.le %s, %k : bool\ncore.guard %c {kind = "contract"}\ncore.ret %s')
ir('byte','%b: buffer<u8>, %i: bool','i64','-core.guard','%j = core.cast %i : i64\n%v = core.buffer_load %b, %j : u8\n%w = core.cast %v : i64\n%m = core.const 256 : i64\n%q = core.cmp.lt %w, %m : bool\ncore.guard %q {kind = "contract"}\ncore.ret %w')
ir('length','%b: buffer<u8>','i64','-core.guard','%n = core.buffer_len %b : index\n%w = core.cast %n : i64\n%z = core.const 0 : i64\n%q = core.cmp.ge %w, %z : bool\ncore.guard %q {kind = "contract"}\ncore.ret %w')
ir('remainder','%x: i64','i64','-core.guard','%k = core.const 16 : i64\n%z = core.const 0 : i64\n%y = core.mod %x, %k {overflow = "python", rounding = "floor"} : i64\n%a = core.cmp.lt %y, %k : bool\n%b = core.cmp.ge %y, %z : bool\n%c = core.and %a, %b : bool\ncore.guard %c {kind = "contract"}\ncore.ret %y')
ir('shifted','%x: i64, %y: i8','i8','','%k = core.const 3 : i8\n%a = core.shr %y, %k : i8\n%m = core.const 15 : i8\n%b = core.and %a, %m : i8\n%s = core.shl %b, %k {overflow = "wrap"} : i8\n%t = core.neg %b {overflow = "checked"} : i8\n%r = core.xor %s, %t : i8\ncore.ret %r')
emit('ranges','',cases)
