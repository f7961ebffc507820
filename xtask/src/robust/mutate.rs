//! Changes a file at random: bits and bytes, words and lines, parts of another file, its end, numbers that are too
//! large, brackets that nest too deeply. Mostly whole words, so that much of it still makes sense.

use tp_machine::Random;

/// Words that readers trip over.
const NASTY: [&str; 24] = [
    "",
    "0",
    "-1",
    "-0",
    "255",
    "-2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775808",
    "18446744073709551615",
    "99999999999999999999999999999999999999999999",
    "1e999",
    "-inf",
    "nan",
    "null",
    "true",
    "\"",
    "\\",
    "\\u0000",
    "i1",
    "i128",
    "&",
    "é\u{2028}",
    "\u{feff}",
];

const BRACKETS: [u8; 4] = *b"[{(<";

/// How deep brackets nest at most: more than a stack holds, if each takes a few hundred bytes of it.
const DEPTH: u64 = 60_000;

/// One of the files, changed. Some changes leave it as it is.
pub fn mutant(files: &[Vec<u8>], seed: u64) -> Vec<u8> {
    // Neighbouring seeds would otherwise begin with neighbouring numbers.
    let mut random = Random::new(seed.wrapping_mul(0x2545_f491_4f6c_dd1d));
    let Some(file) = pick(&mut random, files) else { return Vec::new() };
    let mut bytes = file.clone();
    // One change is most likely to be accepted; two reach what one does not.
    for _ in 0..1 + random.below(6) / 4 {
        let other = pick(&mut random, files).map_or(&[][..], Vec::as_slice);
        change(&mut bytes, other, &mut random);
    }
    bytes
}

fn pick<'a, T>(random: &mut Random, of: &'a [T]) -> Option<&'a T> {
    of.get(random.below(of.len() as u64) as usize)
}

fn change(bytes: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    match random.below(24) {
        0 => flip_bit(bytes, random),
        1 => splice(bytes, &[], random),
        2 => {
            let new: Vec<u8> = (0..1 + random.below(4)).map(|_| random.draw() as u8).collect();
            let at = place(bytes, random);
            bytes.splice(at..at, new);
        }
        3 => splice(bytes, other, random),
        4 => bytes.truncate(random.below(bytes.len() as u64 + 1) as usize),
        5 => {
            let bracket = [BRACKETS[random.below(4) as usize]];
            let at = place(bytes, random);
            bytes.splice(at..at, bracket.repeat(random.below(DEPTH) as usize));
        }
        6..8 => lines(bytes, random),
        _ => words(bytes, other, random),
    }
}

fn place(bytes: &[u8], random: &mut Random) -> usize {
    random.below(bytes.len() as u64 + 1) as usize
}

fn flip_bit(bytes: &mut [u8], random: &mut Random) {
    let (at, bit) = (random.below(bytes.len() as u64) as usize, random.below(8));
    if let Some(byte) = bytes.get_mut(at) {
        *byte ^= 1 << bit;
    }
}

/// Replaces a part, mostly a short one, by a part of another file.
fn splice(bytes: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    let part = |of: &[u8], random: &mut Random| {
        let from = place(of, random);
        let most = if random.below(4) == 0 { 4096 } else { 16 };
        from..(from + random.below(most) as usize).min(of.len())
    };
    let (gone, new) = (part(bytes, random), part(other, random));
    bytes.splice(gone, other[new].iter().copied());
}

/// Removes or repeats a line, or swaps two.
fn lines(bytes: &mut Vec<u8>, random: &mut Random) {
    let mut lines: Vec<&[u8]> = bytes.split_inclusive(|&b| b == b'\n').collect();
    if lines.is_empty() {
        return;
    }
    let (a, b) = (random.below(lines.len() as u64) as usize, random.below(lines.len() as u64) as usize);
    match random.below(3) {
        0 => drop(lines.remove(a)),
        1 => lines.insert(b, lines[a]),
        _ => lines.swap(a, b),
    }
    *bytes = lines.concat();
}

/// Words and the characters between them, in order.
fn split(bytes: &[u8]) -> Vec<&[u8]> {
    let is_word = |b: u8| b.is_ascii_alphanumeric() || b"_.-".contains(&b);
    bytes.chunk_by(|&a, &b| is_word(a) && is_word(b)).collect()
}

/// What a word looks like: a number, something with digits in it, or a name.
fn looks(word: &[u8]) -> (bool, bool) {
    (word.first().is_some_and(u8::is_ascii_digit), word.iter().any(u8::is_ascii_digit))
}

/// Replaces a word: mostly by a similar one of this file, or by one of another file, or by a nasty one. Or removes it,
/// or swaps two.
fn words(bytes: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    let mut words = split(bytes);
    let others = split(other);
    if words.is_empty() {
        return;
    }
    let (a, b) = (random.below(words.len() as u64) as usize, random.below(words.len() as u64) as usize);
    match random.below(12) {
        0 => drop(words.remove(a)),
        1 => words.swap(a, b),
        2 => words[a] = pick(random, &others).copied().unwrap_or_default(),
        3 => words[a] = words[b],
        4 => words[a] = pick(random, &NASTY).map_or(&[][..], |word| word.as_bytes()),
        _ => {
            // The next one with letters or digits: for most separators there is nothing similar.
            let is_word = |w: &&&[u8]| w.first().is_some_and(u8::is_ascii_alphanumeric);
            let at = a + words[a..].iter().take_while(|w| !is_word(w)).count();
            let Some(word) = words.get(at) else { return };
            let (before, behind) = words.split_at(b);
            let like = |w: &&&[u8]| is_word(w) && looks(w) == looks(word) && *w != word;
            if let Some(&found) = behind.iter().chain(before).find(like) {
                words[at] = found;
            }
        }
    }
    *bytes = words.concat();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_the_same_file_and_most_are_different() {
        let read = |name: &str| std::fs::read(crate::root().join("tests/robust").join(name)).unwrap();
        let files = [read("task.yml"), read("tasks.tsv")];
        let all: Vec<Vec<u8>> = (0..500).map(|seed| mutant(&files, seed)).collect();
        assert!(all.iter().enumerate().all(|(seed, file)| *file == mutant(&files, seed as u64)));
        let different: std::collections::BTreeSet<_> = all.iter().collect();
        assert!(different.len() > 350, "{}", different.len());
        assert!(all.iter().any(|file| file.len() > 20_000), "deep nesting");
        assert!(all.iter().any(|file| std::str::from_utf8(file).is_err()), "not UTF-8");
    }

    #[test]
    fn of_nothing_comes_something_or_nothing() {
        (0..500).for_each(|seed| assert!(mutant(&[], seed).is_empty()));
        (0..500).for_each(|seed| drop(mutant(&[Vec::new()], seed)));
    }
}
