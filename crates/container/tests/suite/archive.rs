//! Archives that hostile files may contain.

use genvisa::Dialect;
use genvisa_container::Container;

/// Otherwise, the time would be quadratic in the size of the file.
#[test]
fn archives_that_share_a_table_of_names_are_not_all_read() {
    const COUNT: usize = 1000;
    let tail = vec![0xff; 1 << 20];
    let header = |name: &str, size: usize| {
        format!("{name:<16}{:<12}{:<6}{:<6}{:<8}{size:<10}`\n", 0, 0, 0, 644)
    };
    let size = "!<arch>\n".len() + 2 * header("", 0).len();
    // Text is not searched for archives.
    let mut bytes = vec![0];
    for number in 0..COUNT {
        // The table contains the rest of the file, and the name is in its last part.
        let rest = (COUNT - number) * size - "!<arch>\n".len() - header("", 0).len();
        bytes.extend(b"!<arch>\n");
        bytes.extend(header("//", rest + tail.len()).bytes());
        bytes.extend(header(&format!("/{rest}"), 0).bytes());
    }
    bytes.extend(&tail);
    let container = Container::read(&bytes, Dialect::default());
    let damage = container.damage.first();
    assert!(damage.iter().any(|it| it.contains("their tables overlap")), "{damage:?}");
}
