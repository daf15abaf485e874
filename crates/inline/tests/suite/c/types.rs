//! Types and values of operands.

use genvisa_inline::{Element, Type};

use super::*;

/// Returns the types and values of the operands `"rw"(..)` or `"P"(..)` in a function.
fn operands(
    head: &str,
    constraint: &str,
    expressions: &[&str],
) -> Vec<(Option<String>, Option<u64>)> {
    let operands: Vec<String> =
        expressions.iter().map(|expression| format!("\"{constraint}\"({expression})")).collect();
    let source = format!("{head} asm(\"(M1\" :: {}); }}", operands.join(", "));
    let found = find_c(&source);
    let operands = &statement(only_block(&found)).operands;
    operands.iter().map(|o| (o.ty.map(|ty| ty.to_string()), o.value)).collect()
}

#[track_caller]
fn check_types(head: &str, cases: &[(&str, &str)]) {
    let expressions: Vec<&str> = cases.iter().map(|case| case.0).collect();
    let found = operands(head, "rw", &expressions);
    for ((expression, expected), (ty, _)) in cases.iter().zip(found) {
        assert_eq!(ty.as_deref().unwrap_or("?"), *expected, "{expression}");
    }
}

#[test]
fn reads_types_of_variables() {
    let head = "typedef float real; using vec = uint4; typedef half h2 __attribute__((ext_vector_type(2)));
        typedef struct { int x; } pair; typedef int twice; typedef float twice;
        kernel void f(global float *p, __local int *restrict q, constant uchar *c, __private short *r,
            const uint8 v, read_only image2d_t image, sampler_t s, real x, vec y, h2 z, pair w, twice t,
            unsigned long long n, float a[4], std::uint16_t u, void *any, global T *opaque, T *unknown,
            float const &reference, const int *const *twofold) {
          int i = 0, *j = &i, k[3][2]; unsigned short l; auto m = 1; T o; struct pair b; bool flag;
          { float same; } { float same; } { int other; } { float other; }
          for (uint index = 0, end = f<i, n>(); index < end; index++) { long late; }
          if (auto found = g()) {} auto [first, second] = pair();
          long int li; const size_t size = 3; int8 v8 __attribute__((aligned(8)));
          vec_t<float, 8> templated; ns::T qualified; decltype(i) deduced; _Float16 f16; __bf16 b16;
          int called = [](float z) { float y = z; return int(y); }(1), after = 2;";
    check_types(
        head,
        &[
            ("p", "ptr addrspace(1)"),
            ("q", "ptr addrspace(3)"),
            ("c", "ptr addrspace(2)"),
            ("r", "ptr"),
            ("v", "<8 x i32>"),
            ("image", "?"),
            ("s", "?"),
            ("x", "float"),
            ("y", "<4 x i32>"),
            ("z", "<2 x half>"),
            ("w", "?"),
            ("t", "?"),
            ("n", "?"),
            ("a", "ptr addrspace(4)"),
            ("u", "i16"),
            ("any", "ptr addrspace(4)"),
            ("opaque", "ptr addrspace(1)"),
            ("unknown", "?"),
            ("reference", "float"),
            ("twofold", "ptr addrspace(4)"),
            ("**twofold", "i32"),
            ("i", "i32"),
            ("called", "i32"),
            ("after", "i32"),
            ("j", "ptr addrspace(4)"),
            ("k", "?"),
            ("k[0][i]", "i32"),
            ("l", "i16"),
            ("m", "i32"),
            ("o", "?"),
            ("b", "?"),
            ("flag", "i8"),
            ("same", "float"),
            ("other", "?"),
            ("index", "i32"),
            ("end", "i32"),
            ("late", "i64"),
            ("found", "?"),
            ("first", "?"),
            ("li", "i64"),
            ("size", "i64"),
            ("v8", "<8 x i32>"),
            ("templated", "?"),
            ("qualified", "?"),
            ("deduced", "?"),
            ("f16", "half"),
            ("b16", "bfloat"),
            ("undeclared", "?"),
        ],
    );
}

#[test]
fn reads_types_of_members() {
    let head = "struct P { float x; int *q, r[4]; struct P *next; int get() { return 1; } double d{1}; };
        typedef struct { half h; long l : 3; } S;
        template <typename T, int N> struct Box { T value; T *pointer; T of[N]; };
        template <> struct Box<char, 1> { int other; };
        template <class T> struct Pair { T first; };
        namespace ns { struct Q { short s; }; }
        using Ints = Pair<int>; struct Twice { int x; }; struct Twice { float x; };
        template <class U> class K {
          int *A, *B; float scale = 1; U unknown;
          struct { int x; } anonymous;
         public:
          void f(P p, P *pp, S s, Pair<float> pair, Ints ints, Box<int, 2> box, ns::Q q, Twice twice) {
            struct Local { int *a; } one; struct { uint u; } two; int scale2;
            float B;
            auto lambda = [=](int i) {";
    check_types(
        head,
        &[
            ("A[i]", "i32"),
            ("this->A[i]", "i32"),
            ("*A", "i32"),
            ("A", "ptr addrspace(4)"),
            ("scale", "float"),
            ("this->scale", "float"),
            ("unknown", "?"),
            ("missing", "?"),
            // A variable hides the member.
            ("B", "float"),
            ("this->B[0]", "i32"),
            ("p.x", "float"),
            ("p.q[1]", "i32"),
            ("p.r[1]", "i32"),
            ("p.r", "?"),
            ("p", "?"),
            ("p.d", "double"),
            ("p.get()", "?"),
            ("p->x", "?"),
            ("pp->x", "float"),
            ("pp[2].x", "float"),
            ("(*pp).x", "float"),
            ("pp->next->next->q", "ptr addrspace(4)"),
            ("pp.x", "?"),
            ("s.h", "half"),
            ("pair.first", "float"),
            ("ints.first", "i32"),
            // A specialization may have other members.
            ("box.value", "?"),
            ("q.s", "i16"),
            ("twice.x", "?"),
            ("*one.a", "i32"),
            ("two.u", "i32"),
        ],
    );
}

#[test]
fn reads_types_of_classes_and_calls() {
    let head = "void f(sycl::accessor<int, 1, mode> a, sycl::accessor<float> b, sycl::local_accessor<half, 1> l,
            accessor<int, 2> two, sycl::multi_ptr<short, space> m, cl::sycl::vec<float, 4> v, vec<float, 4> other,
            std::array<uchar, 3> array, sycl::buffer<double> buffer, sycl::item<1> item, float *p, float4 w,
            nd_item<1> nd) {
          auto c = buffer.get_access<sycl::access::mode::read>(h);
          auto d = buffer.get_access(h);
          auto s = sycl::malloc_shared<int>(4, queue); auto *t = malloc_device<float>(4, queue);
          auto g = get_global_id(0); auto x = *p; const auto &r = w; auto lane = get_sub_group_local_id();
          auto unknown = h(0); auto id = item.get_global_id(0); int a3[3]; auto decayed = a3; auto y = w.xy;";
    check_types(
        head,
        &[
            ("a[i]", "i32"),
            ("a", "?"),
            ("b[0]", "float"),
            ("l[i]", "half"),
            ("two[i]", "?"),
            ("m[i]", "i16"),
            ("*m", "i16"),
            ("m.get()[i]", "i16"),
            ("a.get_pointer()[0]", "i32"),
            ("a.get_multi_ptr<sycl::access::decorated::no>()[0]", "i32"),
            ("a.size()", "?"),
            ("v[0]", "float"),
            ("v.x()", "float"),
            ("v", "?"),
            ("other[0]", "?"),
            ("array[1]", "i8"),
            ("c[i]", "double"),
            ("d[i]", "double"),
            ("s[i]", "i32"),
            ("s", "ptr addrspace(4)"),
            ("t[i]", "float"),
            ("g", "i64"),
            ("x", "float"),
            ("r", "<4 x float>"),
            ("lane", "i32"),
            ("unknown", "?"),
            ("id", "i64"),
            ("item.get_global_linear_id()", "i64"),
            ("nd.get_sub_group_local_id()", "?"),
            ("decayed", "ptr addrspace(4)"),
            ("y", "<2 x float>"),
            ("get_local_id(1)", "i64"),
            ("get_local_id()", "?"),
            ("nd.get_group(0)", "i64"),
            ("nd.get_local_range(0)", "i64"),
            ("get_num_groups(0)", "i64"),
            // Functions of the user.
            ("get_group(0)", "?"),
            ("get_local_range(0)", "?"),
            ("nd.get_num_groups(0)", "?"),
        ],
    );
}

#[test]
fn reads_types_of_expressions() {
    let head = "void f(float8 v, float3 w, global float *p, global int4 *q, int x) { uint *r[2];";
    check_types(
        head,
        &[
            ("v.s3", "float"),
            ("v.s8", "?"),
            ("v.lo", "<4 x float>"),
            ("v.hi.odd", "<2 x float>"),
            ("w", "<3 x float>"),
            ("w.xy", "<2 x float>"),
            ("w.w", "?"),
            ("v[2]", "float"),
            ("*p", "float"),
            ("p[x + 1]", "float"),
            ("(*q).y", "i32"),
            ("q[3].xy", "<2 x i32>"),
            ("*r[1]", "i32"),
            ("(x)", "i32"),
            ("x + 1", "?"),
            ("&x", "?"),
            ("-x", "?"),
            ("(short)x", "i16"),
            ("(uchar4)(x)", "<4 x i8>"),
            ("(global int *)p", "ptr addrspace(1)"),
            ("(short)x + 1", "?"),
            ("(x) + 1", "?"),
            ("as_uint8(v)", "<8 x i32>"),
            ("convert_half(x)", "half"),
            ("g(x)", "?"),
            ("static_cast<long>(x)", "i64"),
            ("*reinterpret_cast<double*>(p)", "double"),
            ("reinterpret_cast<T &>(p)", "?"),
            ("p->x", "?"),
            ("1", "i32"),
            ("1.5f", "float"),
        ],
    );
}

#[test]
fn reads_types_of_captures() {
    let source = "void f(float x, int y) { h.parallel_for(r, [=](sycl::nd_item<1> item, int z) {
        float y; asm(\"(M1\" :: \"rw\"(x), \"rw\"(y), \"rw\"(z), \"rw\"(item)); }); }
        void g() { asm(\"(M1\" :: \"rw\"(x)); }";
    let found = find_c(source);
    let types: Vec<Option<String>> = found
        .blocks
        .iter()
        .flat_map(|block| &statement(block).operands)
        .map(|operand| operand.ty.map(|ty| ty.to_string()))
        .collect();
    assert_eq!(types, [Some("float".into()), None, Some("i32".into()), None, None]);
}

#[test]
fn does_not_confuse_names_of_other_scopes() {
    let source = "typedef float T; typedef int real; enum { N = 3, M = 4 };
        struct A { using member = float; float field; };
        template <typename T, int N = 1> struct S { void f(T x, member y, real z) {
          struct { float other; } s; int M;
          asm(\"(M1\" :: \"rw\"(x), \"rw\"(y), \"rw\"(z), \"P\"(N), \"P\"(M), \"rw\"(field), \"rw\"(other)); } };";
    let found = find_c(source);
    let operands = &statement(only_block(&found)).operands;
    let types: Vec<Option<String>> =
        operands.iter().map(|operand| operand.ty.map(|ty| ty.to_string())).collect();
    let int = Some("i32".to_owned());
    assert_eq!(types, [None, None, int.clone(), None, int, None, None]);
    assert!(operands.iter().all(|operand| operand.value.is_none()));
}

#[test]
fn reads_values_of_constants() {
    let head = "#define K 12\n#define NEGATIVE (-K)\nenum { A, B = 5, C, D = T };
        typedef enum tag { E = 1 << 4 } tag; enum class F { G };\nvoid f(int x, float3 v) {";
    let cases: [(&str, Option<&str>, Option<u64>); 42] = [
        ("42", Some("i32"), Some(42)),
        ("-5", Some("i32"), Some(0xffff_fffb)),
        ("0x2A", Some("i32"), Some(42)),
        ("0b101", Some("i32"), Some(5)),
        ("017", Some("i32"), Some(15)),
        ("1'000", Some("i32"), Some(1000)),
        ("0xffffffff", Some("i32"), Some(0xffff_ffff)),
        ("4294967296", Some("i64"), Some(1 << 32)),
        ("-3L", Some("i64"), Some(0xffff_ffff_ffff_fffd)),
        ("7ul", Some("i64"), Some(7)),
        ("7LL", None, Some(7)),
        ("1.5f", Some("float"), Some(0x3fc0_0000)),
        ("-1.5f", Some("float"), Some(0xbfc0_0000)),
        ("1.5h", Some("half"), Some(0x3e00)),
        ("1e3", Some("double"), Some(0x408f_4000_0000_0000)),
        (".5f", Some("float"), Some(0x3f00_0000)),
        ("0x1p3f", None, None),
        ("(char)-1", Some("i8"), Some(0xff)),
        ("(short)0x12345", Some("i16"), Some(0x2345)),
        ("(float)3", Some("float"), Some(0x4040_0000)),
        ("(half)0.1", Some("half"), Some(0x2e66)),
        ("K * 2 + 1", Some("i32"), Some(25)),
        ("NEGATIVE / 5", Some("i32"), Some(0xffff_fffe)),
        ("(1 + 2) * 3 - 4 % 3", Some("i32"), Some(8)),
        ("1 << 31", Some("i32"), Some(1 << 31)),
        ("1 << 32", None, None),
        ("-8 >> 1", Some("i32"), Some(0xffff_fffc)),
        ("0x80000000 >> 31", Some("i32"), Some(1)),
        ("~0u", Some("i32"), Some(0xffff_ffff)),
        ("6 & 3 | 8 ^ 1", Some("i32"), Some(11)),
        ("1 / 0", None, None),
        ("A", Some("i32"), Some(0)),
        ("B + C", Some("i32"), Some(11)),
        ("D", None, None),
        ("E", Some("i32"), Some(16)),
        ("G", None, None),
        ("sizeof(int)", Some("i64"), Some(4)),
        ("sizeof(float3) * 2", Some("i64"), Some(32)),
        ("sizeof(v)", Some("i64"), Some(16)),
        ("true", Some("i8"), Some(1)),
        ("'a'", None, Some(97)),
        ("x * 2", None, None),
    ];
    let expressions: Vec<&str> = cases.iter().map(|case| case.0).collect();
    for constraint in ["i", "P"] {
        let found = operands(head, constraint, &expressions);
        for ((expression, ty, value), found) in cases.iter().zip(found) {
            assert_eq!(found, (ty.map(str::to_owned), *value), "{expression}");
        }
    }
    assert_eq!(operands(head, "rw", &["42"]), [(Some("i32".into()), None)]);
}

#[test]
fn rounds_constants_to_halves() {
    let cases = [
        ("0.0", 0),
        ("-0.0", 0x8000),
        ("1.0", 0x3c00),
        ("1.5", 0x3e00),
        ("-2.0", 0xc000),
        ("65504.0", 0x7bff),
        ("65519.0", 0x7bff),
        ("65520.0", 0x7c00),
        ("1e300", 0x7c00),
        ("6.103515625e-5", 0x0400),
        ("5.960464477539063e-8", 0x0001),
        ("2.98e-8", 0),
        ("2.99e-8", 1),
        ("0.1", 0x2e66),
        ("6.1e-5", 0x03ff),
    ];
    let expressions: Vec<String> =
        cases.iter().map(|(value, _)| format!("(half)({value})")).collect();
    let expressions: Vec<&str> = expressions.iter().map(String::as_str).collect();
    for ((value, bits), found) in cases.iter().zip(operands("void f() {", "i", &expressions)) {
        assert_eq!(found, (Some("half".into()), Some(*bits)), "{value}");
    }
}

#[test]
fn parses_and_prints_types() {
    let cases = [
        ("i32", "i32"),
        ("i1", "i1"),
        ("bfloat", "bfloat"),
        ("<8 x i32>", "<8 x i32>"),
        ("< 4 x  half >", "<4 x half>"),
        ("ptr", "ptr"),
        ("ptr addrspace(1)", "ptr addrspace(1)"),
        ("i32 addrspace(1)*", "ptr addrspace(1)"),
        ("%struct.x addrspace(3)*", "ptr addrspace(3)"),
        ("i8*", "ptr"),
        ("<2 x ptr addrspace(4)>", "<2 x ptr addrspace(4)>"),
        ("int", "i32"),
        ("unsigned", "i32"),
        ("unsigned int", "i32"),
        ("const long int", "i64"),
        ("signed char", "i8"),
        ("uint8", "<8 x i32>"),
        ("half3", "<3 x half>"),
        ("int8_t", "i8"),
        ("std::uint64_t", "i64"),
        ("size_t", "i64"),
        ("bool", "i8"),
        ("float *", "ptr addrspace(4)"),
        ("global int *", "ptr addrspace(1)"),
        ("__local float*", "ptr addrspace(3)"),
        ("const __constant uchar4 * restrict", "ptr addrspace(2)"),
        ("private void *", "ptr"),
        ("global int * const *", "ptr addrspace(4)"),
    ];
    for (text, printed) in cases {
        let ty: Type = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(ty.to_string(), printed, "{text}");
        assert_eq!(printed.parse::<Type>(), Ok(ty));
    }
    for text in [
        "",
        "long long",
        "unsigned float",
        "int5",
        "int 8",
        "<0 x i32>",
        "<8xi32>",
        "<8 x foo>",
        "i128",
        "ptr addrspace(9)",
        "struct x",
        "x *",
        "T",
        "int int",
        "short char",
        "float64",
        "*",
        "<8 x i32",
    ] {
        assert!(text.parse::<Type>().is_err(), "{text}");
    }
    let vector = Type { element: Element::Float, components: 3 };
    assert_eq!((vector.size(), Type::scalar(Element::I1).size()), (12, 1));
    assert_eq!("local int *".parse::<Type>().map(Type::size), Ok(4));
    assert_eq!("global int *".parse::<Type>().map(Type::size), Ok(8));
}

#[test]
fn knows_types_of_addresses() {
    let head = "kernel void f(global float *p, local int *q, float v[4]) { int i;";
    check_types(
        head,
        &[
            ("p + i", "ptr addrspace(1)"),
            ("p + get_global_id(0) * 2 - i", "ptr addrspace(1)"),
            ("q + (i ? 1 : 2)", "ptr addrspace(3)"),
            ("&p[i + 1]", "ptr addrspace(1)"),
            ("p + i == q", "?"),
            ("p++", "?"),
            ("p - q", "?"),
            ("i + p", "?"),
            ("&i", "?"),
            ("v + 1", "ptr addrspace(4)"),
        ],
    );
}
