//! `genvisa run`: the surfaces and samplers of texts and `.isa` files, and pictures in files.

use std::fs;
use std::path::{Path, PathBuf};

use genvisa_test_support::repository;

use super::run;

const NEGATIVE: [&str; 4] = ["run", "tests/data/negative.visaasm", "--thread-space", "16,12"];
const LAKE: &str = "IN=image:2d:r8-unorm:256,192:@tests/data/lake.png";
const BLACK: &str = "OUT=image:2d:r8-unorm:256,192:zero";

/// Runs the tool, and returns its exit code and its standard error.
fn result(args: &[&str]) -> (Option<i32>, String) {
    let output = run(args, b"");
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

fn negative(inputs: &[&str], output: &str) -> (Option<i32>, String) {
    let inputs = inputs.iter().flat_map(|input| ["--input", input]);
    let output = ["--out", output].into_iter().filter(|_| !output.is_empty());
    result(&NEGATIVE.into_iter().chain(inputs).chain(output).collect::<Vec<_>>())
}

/// Returns the bytes of the rows of a PNG file.
fn texels(path: &Path) -> Vec<u8> {
    let file = fs::File::open(path).expect("a PNG file");
    let mut reader = png::Decoder::new(std::io::BufReader::new(file)).read_info().expect("PNG");
    let mut texels = vec![0; reader.output_buffer_size().expect("a size")];
    reader.next_frame(&mut texels).expect("texels");
    texels
}

#[test]
fn outputs_are_raw_texels_or_png() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let lake = texels(&repository("tests/data/lake.png"));
    let expected: Vec<u8> = lake.iter().map(|texel| !texel).collect();
    let (raw, picture, again) = (path("raw"), path("it.png"), path("again.PNG"));
    let input = format!("IN=image:2d:r8-unorm:256,192:@{}", picture.display());
    for (input, output) in [(LAKE, &raw), (LAKE, &picture), (&input, &again)] {
        let written = format!("OUT=@{}", output.display());
        assert_eq!(negative(&[input, BLACK], &written), (Some(0), String::new()));
    }
    assert!(fs::read(raw).expect("texels") == expected);
    assert!(texels(&picture) == expected);
    assert!(texels(&again) == lake);
}

/// PNG has words in the other order of bytes, and red before blue.
#[test]
fn png_files_have_the_texels_of_each_format() {
    let folder = tempfile::tempdir().expect("a folder");
    let (source, target) = (folder.path().join("raw"), folder.path().join("it.png"));
    for (format, bytes, order) in [
        ("r8-uint", 1, &[0][..]),
        ("r16-unorm", 2, &[1, 0]),
        ("rgba8-unorm", 4, &[0, 1, 2, 3]),
        ("bgra8-unorm", 4, &[2, 1, 0, 3]),
        ("rgba16-uint", 8, &[1, 0, 3, 2, 5, 4, 7, 6]),
    ] {
        let image = format!("image:2d:{format}:{},16", 16 / bytes);
        let texels_of: Vec<u8> = (0..256u32).map(|byte| (byte * 7 % 251) as u8).collect();
        fs::write(&source, &texels_of).expect("a file");
        let (input, output) =
            (format!("IN={image}:@{}", source.display()), format!("OUT={image}:zero"));
        let written = format!("OUT=@{}", target.display());
        assert_eq!(negative(&[&input, &output], &written), (Some(0), String::new()), "{format}");
        let expected =
            texels_of.chunks(bytes).flat_map(|texel| order.iter().map(|index| !texel[*index]));
        assert_eq!(texels(&target), expected.collect::<Vec<u8>>(), "{format}");
        let input = format!("IN={image}:@{}", target.display());
        let written = format!("OUT=@{}", source.display());
        assert_eq!(negative(&[&input, &output], &written), (Some(0), String::new()), "{format}");
        assert_eq!(fs::read(&source).expect("texels"), texels_of, "{format}");
    }
}

#[test]
fn wrong_pictures_are_errors() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let lake = fs::read(repository("tests/data/lake.png")).expect("a picture");
    fs::write(path("cut.png"), &lake[..3000]).expect("a file");
    let image = |image: &str, contents: &str| format!("IN=image:{image}:{contents}");
    let file = |name: &str| format!("@{}", path(name));
    let lake = "@tests/data/lake.png";
    for (input, code, expected) in [
        (image("2d:r8-unorm:128,192", lake), 1, "`IN`: the PNG file has 256 x 192 texels"),
        (
            image("2d:rgba8-unorm:256,192", lake),
            1,
            "of type Grayscale with 8 bits, not those of rgba8-unorm",
        ),
        (image("2d:nv12:256,192", lake), 1, "`IN`: a PNG file has no planes"),
        (image("2d-array:r8-unorm:256,192,1", lake), 1, "a 2d-array image is not a PNG file"),
        (image("2d:rg8-unorm:256,192", lake), 1, "format rg8-unorm is not one of PNG"),
        (
            image("2d:r8-unorm:256,192", &file("cut.png")),
            1,
            "the PNG file cannot be read: unexpected end",
        ),
        (image("2d:r8-unorm:256,192", "@README.md"), 1, "`IN`: the image has 49152 bytes, but "),
        (image("2d:r8-unorm:256,192", &file("none")), 1, "cannot read"),
        (
            image("2d:r8-unorm:90000,90000", "zero"),
            1,
            "the buffers of zeros have 8100049152 bytes; --memory-limit is 1073741824",
        ),
        (
            image("2d:r7:256,192", "zero"),
            2,
            "`r7` is not a format of images; these are: r8-unorm, ",
        ),
        (image("4d:r8-unorm:256,192", "zero"), 2, "`4d` is not a kind of images; these are: 1d, "),
        (image("3d:nv12:256,192,2", "zero"), 2, "nv12 is a format of 2d images only"),
        (image("2d:r8-unorm:256,192", "7"), 2, "expected @FILE or zero for the texels of an image"),
        (
            image("2d:r8-unorm:256,192:levels=2", lake),
            1,
            "an image with several levels is not a PNG file",
        ),
        (image("2d:r8-unorm:8,8:levels=3", "@README.md"), 1, "the image has 84 bytes, but "),
        (image("2d:r8-unorm:8,8:levels=0", "zero"), 2, "expected 1 to 15 levels, found `0`"),
        (image("2d:nv12:8,8:levels=2", "zero"), 2, "an image of format nv12 has one level"),
        (
            image("cube:r8-unorm:8,8", "zero"),
            2,
            "`8,8` is not a size of an image: a cube has 6 faces",
        ),
        (image("cube:r8-unorm:8,4,6", "zero"), 2, "the faces of the cube are not squares"),
        (
            image("2d:r8-unorm:8,0", "zero"),
            2,
            "`8,0` is not a size of an image: the image has no texels",
        ),
        ("IN=7".into(), 1, "surface 0x7 was not given"),
        ("IN=zero:100".into(), 1, "the surface is a buffer, not an image"),
        ("IN=sampler:linear:repeat:texels".into(), 1, "`IN` is a surface: give image:.., "),
        (
            "IN=sampler:linear:wrap:texels".into(),
            2,
            "`wrap` is not an address mode of samplers; these are: ",
        ),
        ("IN[1]=zero:100".into(), 1, "`IN` has elements from 0 to 0"),
        (
            "x=image:2d:r8-unorm:8,8:zero".into(),
            1,
            "`x` is a general variable, not a surface or a sampler",
        ),
        ("bti:x=zero:100".into(), 1, "`x` is not an index"),
        ("sampler:0=zero:100".into(), 1, "`sampler:0` is a sampler: give sampler:.. or an index"),
        ("nothing=zero:100".into(), 1, "has no variable, surface or sampler `nothing`"),
    ] {
        let output = path("out.png");
        let (found, message) = negative(&[&input, BLACK], &format!("OUT=@{output}"));
        assert_eq!(found, Some(code), "{input}: {message}");
        assert!(message.contains(expected), "{input}: {message}");
        assert!(!Path::new(&output).exists(), "{input}");
    }
}

#[test]
fn images_of_device_binaries_have_one_level_and_one_sample() {
    for (what, image) in [
        ("several levels", "image:2d:r8-unorm:8,8:levels=3:zero"),
        ("several samples", "image:2d:r8-unorm:8,8:samples=2:zero"),
        ("several planes", "image:2d:nv12:8,8:zero"),
    ] {
        let binary = "crates/interp/tests/data/scale-bmg.bin";
        let argument = format!("y={image}");
        let others = ["--arg", "x=zero:8", "--arg", "a=1f", "--arg", "n=2"];
        let head = ["run", binary, "--kernel", "scale", "--global", "2", "--local", "2"];
        let (code, message) = result(&[&head[..], &["--arg", &argument], &others].concat());
        assert_eq!(code, Some(1), "{image}: {message}");
        let expected = format!("an image with {what} is no argument of a device binary");
        assert!(message.contains(&expected), "{image}: {message}");
    }
}

#[test]
fn outputs_that_are_no_pictures_are_errors_before_the_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = folder.path().join("it.png").display().to_string();
    for (images, expected) in [
        ([LAKE, "OUT=zero:49152"], "it.png` is for an image, not for a buffer"),
        (
            [LAKE, "OUT=image:2d:r32-float:64,192:zero"],
            "format r32-float is not one of PNG; use raw texels",
        ),
        ([LAKE, LAKE], "`OUT` is not a buffer; these are: IN"),
    ] {
        let images = &images[..if images[0] == images[1] { 1 } else { 2 }];
        let (code, message) = negative(images, &format!("OUT=@{output}"));
        assert_eq!(code, Some(1), "{message}");
        assert!(message.contains(expected), "{message}");
    }
    let (code, message) = negative(&[LAKE, BLACK], "OUT=@tests/data/lake.png");
    assert_eq!(code, Some(2));
    assert!(message.contains("output `tests/data/lake.png` is also an input"), "{message}");
    let (code, message) = result(&["run", NEGATIVE[1], "--thread-space", "0,4"]);
    assert_eq!(code, Some(1));
    assert!(message.contains("--thread-space has two numbers"), "{message}");
}

/// The planes of an image follow each other in a file.
#[test]
fn raw_files_have_all_planes() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = folder.path().join("out");
    let written = format!("OUT=@{}", output.display());
    for (format, size) in [("nv12", 1536), ("p010", 3072)] {
        let [input, target] =
            ["IN", "OUT"].map(|name| format!("{name}=image:2d:{format}:32,32:zero"));
        assert_eq!(negative(&[&input, &target], &written), (Some(0), String::new()));
        let bytes = fs::read(&output).expect("planes");
        let (luminance, chrominance) = bytes.split_at(size / 3 * 2);
        assert_eq!(bytes.len(), size);
        assert!(luminance.iter().all(|byte| *byte == 255), "{format}");
        assert!(chrominance.iter().all(|byte| *byte == 0), "{format}");
    }
}

/// Variables of surfaces and samplers are given by name, by element and by id, or as the index of a table.
#[test]
fn samplers_read_images() {
    let folder = tempfile::tempdir().expect("a folder");
    let (texels, output) = (folder.path().join("texels"), folder.path().join("out"));
    // Level 1 has the texels 204 and 0.
    fs::write(&texels, [0, 51, 102, 255, 204, 0]).expect("a file");
    let image = format!("image:2d:r8-unorm:4,1:levels=2:@{}", texels.display());
    let kernel = ".version 3.6\n.kernel \"sampled\"\n\
        .decl PICTURES v_type=T num_elts=2\n.decl FILTER v_type=S num_elts=1\n\
        .decl u v_type=G type=f num_elts=8 align=GRF\n.decl v v_type=G type=f num_elts=8 align=GRF\n\
        .decl texels v_type=G type=f num_elts=32 align=GRF\n.decl buffer v_type=T num_elts=1\n\
        .decl picture v_type=T num_elts=1\n\
        .input PICTURES offset=32 size=8\n.input FILTER offset=40 size=4\n.input u offset=64 size=32\n\
        \x20   mov (M1, 8) v(0,0)<1> 0x3f000000:f\n\
        \x20   movs (M1, 1) picture(0) PICTURES(1)\n\
        \x20   sample_3d.R (M1, 8) 0x0:uw FILTER picture texels.0 %null.0 u.0 v.0 //@ paired\n\
        \x20   movs (M1, 1) buffer(0) 0x9:ud\n\
        \x20   oword_st (2) buffer 0x0:ud texels.0\n    ret (M1, 1)\n";
    let file = folder.path().join("sampled.visaasm");
    fs::write(&file, kernel).expect("a file");
    let inputs = |picture: &str, sampler: &str| {
        let inputs = [picture, sampler, "u=0.125,0.25,0.375,0.5,0.625,0.75,0.875,1.125"];
        let inputs = inputs.into_iter().flat_map(|input| ["--input".into(), input.into()]);
        let head = ["run".into(), file.display().to_string()];
        let tail = ["--input".into(), "bti:9=zero:32".into(), "--out".into()];
        let out = format!("bti:9=@{}", output.display());
        head.into_iter().chain(inputs).chain(tail).chain([out]).collect::<Vec<String>>()
    };
    let nearest = [0.0, 0.2, 0.2, 0.4, 0.4, 1.0, 1.0];
    let linear = [0.0, 0.1, 0.2, 0.3, 0.4, 0.7, 1.0];
    for (filter, mode, expected, last) in [
        ("nearest", "repeat", nearest, 0.0),
        ("nearest", "clamp-to-edge", nearest, 1.0),
        ("linear", "repeat", linear, 0.0),
        ("linear", "clamp-to-edge", linear, 1.0),
    ] {
        let sampler = format!("FILTER=sampler:{filter}:{mode}:normalized");
        for picture in ["PICTURES[1]", "T6[1]"].map(|name| format!("{name}={image}")) {
            let args = inputs(&picture, &sampler);
            let args: Vec<&str> = args.iter().map(String::as_str).collect();
            assert_eq!(result(&args), (Some(0), String::new()), "{filter} {mode}");
            let bytes = fs::read(&output).expect("a buffer");
            let found =
                bytes.chunks(4).map(|it| f32::from_le_bytes(it.try_into().expect("4 bytes")));
            for (found, expected) in found.zip(expected.into_iter().chain([last])) {
                assert!((found - expected).abs() < 1e-6, "{filter} {mode}: {found}, {expected}");
            }
        }
    }
}

/// A kernel of the Media SDK in the package of Debian, which the README shows.
#[test]
#[ignore = "needs drivers of Debian"]
fn the_picture_of_the_readme_is_what_the_kernel_computes() {
    let folder = PathBuf::from(std::env::var_os("GENVISA_PACKAGES").expect("GENVISA_PACKAGES"));
    let library = folder.join("usr/lib/x86_64-linux-gnu/libmfxhw64.so.1.35");
    let scratch = tempfile::tempdir().expect("a folder");
    let path = |name: &str| scratch.path().join(name).display().to_string();
    let strength = [&[0; 64][..], &1500i16.to_le_bytes(), &[0; 62]].concat();
    fs::write(path("strength"), strength).expect("a file");
    let object = format!("{}!36", library.display());
    let (code, message) = result(&[
        "run",
        &object,
        "--kernel",
        "SpatialDenoiser_8x8",
        "--thread-space",
        "32,24",
        "--input",
        &format!("T6=@{}", path("strength")),
        "--input",
        "T7=image:2d:r8-unorm:256,192:@tests/data/lake.png",
        "--input",
        "T8=image:2d:r8-unorm:256,192:zero",
        "--input",
        "V32=0",
        "--out",
        &format!("T8=@{}", path("out.png")),
    ]);
    assert_eq!((code, &*message), (Some(0), ""));
    assert!(texels(Path::new(&path("out.png"))) == texels(&repository("docs/lake-denoised.png")));
}

/// RESINFO, SAMPLE_3D and RT_WRITE.
#[test]
fn a_pixel_shader_draws_the_mirror_image() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = folder.path().join("out.png");
    let drawn = result(&[
        "run",
        "tests/data/mirror.visaasm",
        "--lanes=16",
        "--thread-space=32,96",
        "--input=IN=image:2d:r8-unorm:256,192:@tests/data/lake.png",
        "--input=LINEAR=sampler:linear:clamp-to-edge:normalized",
        "--input=OUT=image:2d:r8-unorm:256,192:zero",
        &format!("--out=OUT=@{}", output.display()),
    ]);
    assert_eq!(drawn, (Some(0), String::new()));
    let lake = texels(&repository("tests/data/lake.png"));
    let rows = lake.chunks(256).flat_map(|row| row.iter().rev());
    // Coordinates are rounded.
    let close = rows.zip(texels(&output)).all(|(a, b)| a.abs_diff(b) <= 1);
    assert!(close, "not the mirror image");
}

/// The last of several values would hide the others.
#[test]
fn no_surface_is_given_twice() {
    let images = |names: [&str; 2]| names.map(|name| format!("{name}=image:2d:r8-unorm:8,2:zero"));
    for inputs in [
        images(["OUT", "OUT"]),
        images(["OUT", "OUT:rt0"]),
        images(["OUT:depth", "OUT:depth"]),
        images(["bti:3", "bti:3"]),
        ["OUT=zero:64".into(), "OUT:depth=image:2d:r8-unorm:8,2:zero".into()],
        ["OUT:depth=image:2d:r8-unorm:8,2:zero".into(), "OUT=zero:64".into()],
        ["OUT=3".into(), "OUT=4".into()],
        ["bti:3=zero:4".into(), "bti:3=zero:8".into()],
    ] {
        let all: Vec<&str> = VALUES.into_iter().chain(inputs.iter().map(String::as_str)).collect();
        let (code, message) = targets(&all, &[]);
        assert_eq!(code, Some(1), "{inputs:?}: {message}");
        assert!(message.contains("given twice"), "{inputs:?}: {message}");
    }
}

/// Draws 16 pixels: render targets, depth and stencil are images of one surface.
fn targets(inputs: &[&str], outputs: &[(&str, &Path)]) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let source = folder.path().join("k.visaasm");
    let text = ".version 3.6\n.kernel \"k\"\n.decl OUT v_type=T num_elts=1\n\
        .decl c v_type=G type=f num_elts=16 align=GRF\n\
        .decl s v_type=G type=ub num_elts=16 align=GRF\n.input c offset=32 size=64\n\
        .input s offset=96 size=16\n\
        rt_write_3d.<RTI><Z><ST> (M1, 16) OUT %null.0 0x1:ub c.0 c.0 c.0 c.0 c.0 s.0\n    ret (M1, 1)\n";
    fs::write(&source, text).expect("a text");
    let inputs = inputs.iter().map(|input| format!("--input={input}"));
    let outputs = outputs.iter().map(|(name, path)| format!("--out={name}=@{}", path.display()));
    let options = ["run", source.to_str().expect("UTF-8"), "--lanes=16", "--thread-space=1,1"];
    let all: Vec<String> =
        options.into_iter().map(String::from).chain(inputs).chain(outputs).collect();
    result(&all.iter().map(String::as_str).collect::<Vec<_>>())
}

const VALUES: [&str; 2] = ["c=0.5", "s=7"];

#[test]
fn a_surface_has_several_render_targets_depth_and_stencil() {
    let folder = tempfile::tempdir().expect("a folder");
    let [color, other, depth, stencil] =
        ["color", "other", "depth", "stencil"].map(|name| folder.path().join(name));
    let images = [
        "OUT=image:2d:r8-unorm:8,2:zero",
        "OUT:rt1=image:2d:r16-unorm:8,2:samples=2:zero",
        "OUT:depth=image:2d:r32-float:8,2:zero",
        "OUT:stencil=image:2d:r8-uint:8,2:zero",
    ];
    let outputs =
        [("OUT", &*color), ("OUT:rt1", &other), ("OUT:depth", &depth), ("OUT:stencil", &stencil)];
    let inputs: Vec<&str> = VALUES.into_iter().chain(images).collect();
    assert_eq!(targets(&inputs, &outputs), (Some(0), String::new()));
    let read = |path: &Path| fs::read(path).expect("an output");
    assert_eq!(read(&color), [0; 16]);
    assert_eq!(read(&other), [0, 0x80].repeat(32));
    assert_eq!(read(&depth), 0.5f32.to_le_bytes().repeat(16));
    assert_eq!(read(&stencil), [7; 16]);
}

#[test]
fn render_targets_that_are_none_are_errors() {
    for (input, code, expected) in [
        ("OUT:rt1=image:2d:r8-unorm:8,2:zero", 1, "`OUT:rt1`: give render target 0 first"),
        ("s=8", 1, "`s` is given twice"),
        ("OUT:depth=zero:64", 1, "`OUT:depth` is an image of a surface: give image:.."),
        ("OUT:depth=7", 1, "`OUT:depth` is an image of a surface: give image:.."),
        ("c:depth=image:2d:r8-unorm:8,2:zero", 1, "`c` is a general variable, not a surface"),
        (
            "OUT:colour=image:2d:r8-unorm:8,2:zero",
            1,
            "no variable, surface or sampler `OUT:colour`",
        ),
        ("OUT=image:2d:r8-unorm:8,2:samples=17:zero", 2, "expected 1 to 16 samples, found `17`"),
        (
            "OUT=image:3d:r8-unorm:8,2:samples=2:zero",
            2,
            "a 3d image of format r8-unorm has one sample",
        ),
        ("OUT=image:2d:nv12:8,2:samples=2:zero", 2, "a 2d image of format nv12 has one sample"),
        ("OUT=image:2d:r8-unorm:8,2:levels=:zero", 2, "expected 1 to 15 levels, found ``"),
    ] {
        let (found, message) = targets(&[VALUES[0], VALUES[1], input], &[]);
        assert_eq!(found, Some(code), "{input}: {message}");
        assert!(message.contains(expected), "{input}: {message}");
    }
}
