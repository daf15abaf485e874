//! Replacement of objects and texts in their places.

use std::fs;
use std::ops::Range;
use std::path::Path;

use object::{Endian, Endianness, Object, ObjectSection};
use tempfile::tempdir;

use super::{extracted, list, object as isa, packed, stderr, tool};

/// A device binary (zebin).
#[derive(Clone)]
struct Zebin {
    is_64: bool,
    endian: Endianness,
    sections: Vec<(&'static str, Vec<u8>)>,
    /// The contents of an additional section with the name `.other`.
    other: Range<usize>,
    /// The bytes of a segment.
    segment: Range<usize>,
}

/// The alignment of sections in memory, which applies to sections that are moved.
const ALIGNMENT: u64 = 16;

/// Returns a device binary with two texts and the machine code of a kernel.
fn zebin(texts: [&str; 2]) -> Zebin {
    let [first, second] = texts.map(|text| text.as_bytes().to_vec());
    let sections = vec![(".text.k", vec![0x90; 33]), (".visaasm.k", first), (".visaasm.l", second)];
    Zebin { is_64: true, endian: Endianness::Little, sections, other: 0..0, segment: 0..0 }
}

impl Zebin {
    fn half(&self, value: u64) -> Vec<u8> {
        self.endian.write_u16_bytes(value as u16).to_vec()
    }

    fn word(&self, value: u64) -> Vec<u8> {
        self.endian.write_u32_bytes(value as u32).to_vec()
    }

    /// Returns a field whose size depends on the class.
    fn wide(&self, value: u64) -> Vec<u8> {
        match self.is_64 {
            true => self.endian.write_u64_bytes(value).to_vec(),
            false => self.word(value),
        }
    }

    /// Returns the sizes of the file header, a program header and a section header.
    fn sizes(&self) -> [u64; 3] {
        if self.is_64 { [64, 56, 64] } else { [52, 32, 40] }
    }

    /// Returns the place of the contents of a section.
    fn place(&self, index: usize) -> Range<usize> {
        let [file, program, _] = self.sizes();
        let before: usize = self.sections[..index].iter().map(|(_, data)| data.len()).sum();
        let start = (file + program) as usize + before;
        start..start + self.sections[index].1.len()
    }

    /// Returns the bytes: the headers of the file and the segment, the contents of the sections, the
    /// names, and the headers of the sections.
    fn bytes(&self) -> Vec<u8> {
        let [file, program, section] = self.sizes();
        let mut names = vec![0];
        let mut headers = vec![vec![0; section as usize]];
        let mut header = |names: &mut Vec<u8>, name: &str, kind: u64, data: Range<usize>| {
            let fields = [
                self.word(names.len() as u64),
                self.word(kind),
                self.wide(0),
                self.wide(0),
                self.wide(data.start as u64),
                self.wide(data.len() as u64),
                self.word(0),
                self.word(0),
                self.wide(ALIGNMENT),
                self.wide(0),
            ];
            names.extend(name.as_bytes());
            names.push(0);
            headers.push(fields.concat());
        };
        let contents: Vec<u8> = self.sections.iter().flat_map(|(_, data)| data.clone()).collect();
        for (index, (name, _)) in self.sections.iter().enumerate() {
            header(&mut names, name, 1, self.place(index));
        }
        header(&mut names, ".other", 1, self.other.clone());
        let start = (file + program) as usize + contents.len();
        let length = names.len() + ".shstrtab".len() + 1;
        header(&mut names, ".shstrtab", 3, start..start + length);
        let (class, data) =
            (if self.is_64 { 2 } else { 1 }, if self.endian.is_little_endian() { 1 } else { 2 });
        let mut bytes = vec![0x7f, b'E', b'L', b'F', class, data, 1];
        bytes.resize(16, 0);
        for field in [
            self.half(1),
            self.half(205),
            self.word(1),
            self.wide(0),
            self.wide(file),
            self.wide((start + length) as u64),
            self.word(0),
            self.half(file),
            self.half(program),
            self.half(1),
            self.half(section),
            self.half(headers.len() as u64),
            self.half(headers.len() as u64 - 1),
        ] {
            bytes.extend(field);
        }
        let [kind, flags] = [self.word(1), self.word(4)];
        let [offset, size] =
            [self.segment.start, self.segment.len()].map(|at| self.wide(at as u64));
        let [address, alignment] = [self.wide(0), self.wide(1)];
        let fields: [&[u8]; 8] = match self.is_64 {
            true => [&kind, &flags, &offset, &address, &address, &size, &size, &alignment],
            false => [&kind, &offset, &address, &address, &size, &size, &flags, &alignment],
        };
        bytes.extend(fields.concat());
        bytes.extend(contents);
        bytes.extend(names);
        bytes.extend(headers.concat());
        bytes
    }
}

/// Returns a text with a comment of this many bytes.
fn text(comment: usize) -> String {
    let comment = "x".repeat(comment);
    format!("{}//{comment}\n", include_str!("../../../../../tests/data/plain.visaasm"))
}

/// Returns the contents of the sections of an ELF file with their names and offsets.
fn sections(bytes: &[u8]) -> Vec<(String, u64, Vec<u8>)> {
    let file = object::File::parse(bytes).expect("an ELF file");
    let section = |section: object::Section<'_, '_>| {
        let (offset, _) = section.file_range().expect("contents");
        let name = section.name().expect("a name").to_string();
        (name, offset, section.data().expect("contents").to_vec())
    };
    file.sections().map(section).collect()
}

/// Returns the offsets of bytes that differ.
fn changes(old: &[u8], new: &[u8]) -> Vec<usize> {
    (0..old.len()).filter(|at| old[*at] != new[*at]).collect()
}

#[test]
fn texts_of_the_same_and_smaller_sizes_stay_in_their_sections() {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("zebin");
    for (is_64, endian) in [(true, Endianness::Little), (false, Endianness::Big)] {
        // The second text has a terminator.
        let (old, terminated) = (text(20), text(30) + "\0");
        let zebin = Zebin { is_64, endian, ..zebin([&old, &terminated]) };
        let bytes = zebin.bytes();
        fs::write(&path, &bytes).expect("a file");
        let found: Vec<_> = extracted(&path).into_iter().map(|(_, bytes)| bytes).collect();
        assert_eq!(found, [old.clone(), text(30)].map(String::into_bytes));

        let same = old.replace('x', "y");
        let new = packed(&path, &[(1, same.as_bytes())]).expect("it fits");
        let mut expected = zebin.clone();
        expected.sections[1].1 = same.into_bytes();
        assert_eq!(new, expected.bytes());

        let new = packed(&path, &[(1, text(3).as_bytes()), (2, text(4).as_bytes())]);
        let new = new.expect("they fit");
        assert_eq!(new.len(), bytes.len());
        let found = sections(&new);
        assert_eq!(
            found[1..3],
            [
                (".visaasm.k".to_string(), zebin.place(1).start as u64, text(3).into_bytes()),
                (
                    ".visaasm.l".to_string(),
                    zebin.place(2).start as u64,
                    (text(4) + "\0").into_bytes()
                ),
            ]
        );
        assert_eq!(new[zebin.place(1).start + text(3).len()..zebin.place(1).end], [0; 17]);
        let headers = bytes.len() - 6 * zebin.sizes()[2] as usize;
        let texts = zebin.place(1).start..zebin.place(2).end;
        let others: Vec<usize> =
            changes(&bytes, &new).into_iter().filter(|at| !texts.contains(at)).collect();
        // One byte of the size of each of them.
        assert!(others.len() <= 4 && others.iter().all(|at| *at >= headers), "{others:?}");
    }
}

#[test]
fn larger_texts_are_moved_to_the_end() {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("zebin");
    for (is_64, endian) in [(false, Endianness::Little), (true, Endianness::Big)] {
        let zebin = Zebin { is_64, endian, ..zebin([&text(20), &(text(30) + "\0\0")]) };
        let bytes = zebin.bytes();
        fs::write(&path, &bytes).expect("a file");
        let new = packed(&path, &[(1, text(201).as_bytes()), (2, text(300).as_bytes())]);
        let new = new.expect("they fit");
        let (old, found) = (sections(&bytes), sections(&new));
        let (first, second) = (text(201), text(300) + "\0\0");
        assert_eq!((&found[1].2[..], &found[2].2[..]), (first.as_bytes(), second.as_bytes()));
        assert!(found[1].1 >= bytes.len() as u64 && found[2].1 >= found[1].1 + first.len() as u64);
        assert_eq!((found[1].1 % ALIGNMENT, found[2].1 % ALIGNMENT), (0, 0));
        assert_eq!((&found[0], &found[3..]), (&old[0], &old[3..]));
        let headers = bytes.len() - 6 * zebin.sizes()[2] as usize;
        assert!(changes(&bytes, &new).iter().all(|at| *at >= headers));

        // The number of a moved text stays the same.
        let only_first = packed(&path, &[(1, text(201).as_bytes())]).expect("it fits");
        assert!(sections(&only_first)[1].1 > sections(&only_first)[2].1);
        fs::write(&path, only_first).expect("a file");
        let texts: Vec<_> = extracted(&path).into_iter().map(|(_, text)| text).collect();
        assert_eq!(texts, [text(201), text(30)].map(String::into_bytes));

        // The moved text can grow again, and shrink.
        fs::write(&path, &new).expect("a file");
        for comment in [202, 0] {
            let new = packed(&path, &[(1, text(comment).as_bytes())]).expect("it fits");
            assert_eq!(sections(&new)[1].2, text(comment).as_bytes());
        }
    }
}

#[test]
fn texts_in_embedded_files_cannot_grow() {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("library");
    let zebin = zebin([&text(20), &text(30)]).bytes();
    for [before, after] in [[&b"\0host"[..], b""], [b"\0host", b"host"]] {
        fs::write(&path, [before, &zebin, after].concat()).expect("a file");
        let smaller = packed(&path, &[(1, text(19).as_bytes())]).expect("it fits");
        let found = sections(&smaller[before.len()..smaller.len() - after.len()]);
        assert_eq!(found[1].2, text(19).as_bytes());
        let messages = packed(&path, &[(1, text(21).as_bytes())]).expect_err("no room");
        let sizes = format!(
            "the new object has {} bytes; the place has room for {}",
            text(21).len(),
            text(20).len()
        );
        assert!(messages.contains(&sizes), "{messages}");
    }
}

#[test]
fn sections_with_shared_bytes_are_not_changed() {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("zebin");
    let alone = zebin([&text(20), &text(30)]);
    let place = alone.place(1);
    let last = place.end - 1..place.end + 10;
    let others = [
        (Zebin { segment: 0..place.end, ..alone.clone() }, "segment 0"),
        (Zebin { other: last.clone(), ..alone.clone() }, "section 4"),
    ];
    for (zebin, other) in others {
        fs::write(&path, zebin.bytes()).expect("a file");
        for comment in [0, 20, 100] {
            let new = text(comment).replace('x', "y");
            let messages = packed(&path, &[(1, new.as_bytes())]).expect_err("shared bytes");
            let expected = format!("{other} contains bytes of the section too");
            assert!(messages.contains(&expected), "{messages}");
        }
        assert!(packed(&path, &[(2, text(31).as_bytes())]).is_ok() || other == "section 4");
    }
}

#[test]
fn texts_in_other_files_are_formatted_and_assembled() {
    let folder = tempdir().expect("a folder");
    let [path, text_path] = ["zebin", "a.visaasm"].map(|name| folder.path().join(name));
    fs::write(&path, zebin([&text(20), &text(30)]).bytes()).expect("a file");
    fs::write(&text_path, text(30)).expect("a file");
    let chosen = format!("{}!2", path.display());
    for args in [&["fmt"][..], &["asm", "-o", "-"]] {
        let [found, expected] = [Path::new(&chosen), &text_path].map(|path| tool(args, path));
        assert!(found.status.success(), "{args:?}: {}", stderr(&found));
        assert_eq!(found.stdout, expected.stdout);
    }
}

#[test]
fn several_objects_are_replaced_at_once() {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("library");
    let library = |objects: [&[u8]; 3]| [b"\0", objects[0], objects[1], b"\0", objects[2]].concat();
    let old = ["first", "second", "third"].map(isa);
    fs::write(&path, library([&old[0], &old[1], &old[2]])).expect("a file");
    assert_eq!(list(&path)["objects"].as_array().map(Vec::len), Some(3));
    let [first, third] = ["FIRST", "3"].map(isa);
    let new = packed(&path, &[(3, &third), (1, &first)]).expect("they fit");
    let third = [&third[..], &[0; 4]].concat();
    assert_eq!(new, library([&first, &old[1], &third]));

    let messages = packed(&path, &[(1, &isa("longer"))]).expect_err("no room");
    let size = old[0].len();
    let sizes = format!("the new object has {} bytes; the place has room for {size}", size + 1);
    assert!(messages.contains(&sizes), "{messages}");
}
