//! Certificates about races: what each rule rejects, and random changes.

use fastrand::Rng;
use threadproof_certify::{CertificateError, check_races};

/// The first thread starts another; both add to object 1 while they hold the mutex in object 0. The second thread
/// loads the address of object 1 from object 3.
const LOCKED: &str = "\
thread -
thread 0
point 0 0
point 0 1
point 0 2
point 0 3
point 0 4
point 1 0
point 1 1
point 1 2
object variable 8
object variable 4
object made 0 16
object variable 8
set whole 1 0 0
set whole 2 0 0
register 1 1
register 2 2
cell 3 0 0 8 1
escaped 0 1 2 3
held 2 0 0 w 20
held 3 0 0 w 20
held 6 0 0 w 20
alive 1 1
alive 2 1
alive 3 1
alive 4 1
left 0 1
entry 0 0
entry 1 5
store &3+0 8 &1+0
copy 2 &2+0
load 1 &3+0 8
start 0 1 1 2
take 1 2 &0+0 w m
access 2 3 &1+0 4 w
give 3 4 3 &0+0 m
take 5 6 &0+0 w m
access 6 7 1 4 w
give 7 7 7 &0+0 m
over 0 4
over 1 7
end
";

/// The first thread joins the other before it writes.
const JOINED: &str = "\
thread -
thread 0
point 0 0
point 0 1
point 0 2
point 0 3
point 1 0
point 1 1
object variable 4
object made 0 16
set whole 1 0 0
register 1 1
escaped 0 1
alive 1 1
entry 0 0
entry 1 4
copy 1 &1+0
start 0 1 1 1
join 1 2 1
access 2 3 &0+0 4 w
access 4 5 &0+0 4 w
over 0 3
over 1 5
end
";

fn fixed() -> String {
    // The second thread keeps the lock, instead of releasing it where it is not claimed to hold it.
    LOCKED
        .replace("give 7 7 7 &0+0 m", "go 7 7")
        .replace("held 6 0 0 w 20", "held 6 0 0 w 20\nheld 7 0 0 w 20")
}

fn check(text: &str, expect: &str) {
    let found = match check_races(text.as_bytes()) {
        Ok(_) => "accepted".to_owned(),
        Err(CertificateError::Rejected(rejected)) => rejected.why.to_string(),
        Err(other) => other.to_string(),
    };
    assert!(found.contains(expect), "{expect}: {found}\n{text}");
}

#[test]
fn what_holds_is_accepted() {
    check(&fixed(), "accepted");
    check(JOINED, "accepted");
}

#[test]
fn each_rule_refuses() {
    let locked = fixed();
    let changes: &[(&str, &str, &str)] = &[
        ("take 5 6 &0+0 w m", "go 5 6", "a lock that is held at point 6 does not follow"),
        ("take 5 6 &0+0 w m", "take 5 6 &1+0 w m", "a lock that is held"),
        ("take 5 6 &0+0 w m", "take 5 6 &0+0 w s", "may race"),
        ("take 5 6 &0+0 w m", "take 5 6 &0+0 r m", "a lock that is held"),
        ("alive 2 1\n", "", "which threads may run at point 2"),
        ("left 0 1\n", "", "thread 0 leaves more threads"),
        ("escaped 0 1 2 3", "escaped 0 2 3", "object 1 can be reached"),
        ("escaped 0 1 2 3", "escaped 0 1 3", "object 2 can be reached"),
        ("access 2 3 &1+0 4 w", "access 2 3 &0+0 4 w", "a lock that is held at point 3"),
        ("entry 1 5", "entry 1 5\nentry 1 6", "begins with nothing held"),
        ("entry 1 5\n", "", "nothing leads to point 5"),
        ("point 0 3", "point 0 1", "no way leads from point 2 to point 3"),
        ("object variable 8\nobject variable 4", "object made 5 8\nobject variable 4", "accepted"),
        ("held 6 0 0 w 20\n", "", "a lock that is held at point 7"),
        ("go 7 7", "go 7 5", "no way leads from point 7 to point 5"),
        ("give 3 4 3 &0+0 m", "give 3 4 4 &0+0 m", "may race"),
        ("end\n", "", "ends too early"),
        ("end\n", "end\ngo 0 1\n", "cannot stand here"),
        ("give 3 4 3 &0+0 m", "give 3 9 3 &0+0 m", "is no number"),
    ];
    for (old, new, expect) in changes {
        assert!(locked.contains(old), "{old}");
        check(&locked.replacen(old, new, 1), expect);
    }
}

/// A thread that takes a lock relies on all of its bytes: a claim of fewer would hide that the others are overwritten.
#[test]
fn locks_are_as_large_as_their_models() {
    for (kind, bytes) in [("m", 20), ("w", 52), ("s", 4)] {
        let of = |bytes: u64| {
            let takes =
                fixed().replace("w m\n", &format!("w {kind}\n")).replace("0 m\n", &format!("0 {kind}\n"));
            takes.replace("w 20\n", &format!("w {bytes}\n"))
        };
        check(&of(bytes), "accepted");
        check(&of(bytes - 1), "a lock that is held");
    }
}

#[test]
fn each_rule_about_threads_refuses() {
    let changes: &[(&str, &str, &str)] = &[
        ("join 1 2 1", "go 1 2", "which threads may run at point 2"),
        ("join 1 2 1", "join 1 2 &0+0", "which threads may run"),
        ("over 0 3", "over 0 3\ndetach 1", "which threads may run"),
        ("object made 0", "object made 1", "accepted"),
        ("start 0 1 1 1", "start 0 1 1 1\ngo 0 0", "which threads may run"),
        ("alive 1 1\n", "", "which threads may run at point 1"),
        ("access 2 3 &0+0 4 w", "access 1 2 &0+0 4 w\ngo 2 3", "which threads may run"),
    ];
    for (old, new, expect) in changes {
        check(&JOINED.replacen(old, new, 1), expect);
    }
}

/// The first thread writes only if it gets the lock.
fn tried() -> String {
    let tries = "tried 2 7 0 0 w 20\n";
    let replaced = fixed()
        .replace("take 1 2 &0+0 w m\n", "try 1 2 &0+0 w m 7\nzero 2 8 7\ngo 2 4\n")
        .replace("access 2 3 &1+0 4 w", "access 8 3 &1+0 4 w")
        .replace("point 1 2\n", "point 1 2\npoint 0 2\n")
        .replace("held 2 0 0 w 20\n", &format!("held 8 0 0 w 20\n{tries}"));
    replaced.replace("alive 2 1\n", "alive 2 1\nalive 8 1\n")
}

#[test]
fn each_rule_about_locks_that_are_tried_refuses() {
    check(&tried(), "accepted");
    const HELD: &str = "a lock that is held at point 8";
    const TRIED: &str = "a lock that was tried at point 2";
    let changes: &[(&str, &str, &str)] = &[
        ("zero 2 8 7", "go 2 8", HELD),
        ("zero 2 8 7", "zero 2 8 6", HELD),
        ("tried 2 7 0 0 w 20\n", "", HELD),
        ("tried 2 7 0 0 w 20", "tried 2 7 0 0 r 20", HELD),
        ("tried 2 7 0 0 w 20", "tried 2 7 0 8 w 20", TRIED),
        ("tried 2 7 0 0 w 20", "tried 2 7 0 0 w 4", TRIED),
        ("tried 2 7 0 0 w 20", "tried 2 7 0 0 w 20\ntried 1 7 0 0 w 20", "a lock that was tried at point 1"),
        ("tried 2 7 0 0 w 20", "tried 2 7 0 0 w 20\ntried 0 7 0 0 w 20", "begins with nothing held"),
        ("try 1 2 &0+0 w m 7", "try 1 2 &0+0 r m 7", TRIED),
        ("try 1 2 &0+0 w m 7", "try 1 2 &1+0 w m 7", TRIED),
        ("try 1 2 &0+0 w m 7", "try 1 2 &0+0 w m 6", TRIED),
        ("try 1 2 &0+0 w m 7", "try 1 2 &0+0 w m 7\ngo 1 2", TRIED),
        ("try 1 2 &0+0 w m 7", "try 1 2 &0+0 w m 7\nanew 2 2", TRIED),
        ("try 1 2 &0+0 w m 7", "try 1 2 &0+0 w m 7\ngo 2 2", "accepted"),
        ("try 1 2 &0+0 w m 7", "try 1 2 &0+0 w m 7\naccess 2 2 &0+8 4 w", TRIED),
        ("try 1 2 &0+0 w m 7", "try 1 2 &0+0 w m 7\ngive 2 2 2 &0+0 m", TRIED),
        ("try 1 2 &0+0 w m 7", "try 1 2 &0+0 w m 7\ntry 2 2 &0+0 r w 6", "may race"),
    ];
    for (old, new, expect) in changes {
        assert!(tried().contains(old), "{old}");
        check(&tried().replacen(old, new, 1), expect);
    }
}

/// Many instances of a thread take the lock in an element of object 0, and write to the data beside it.
const NEAR: &str = "\
thread -
thread 0
point 0 0
point 0 0
point 1 0
point 1 1
point 1 2
point 1 3
point 1 4
object variable 8
object made 0 16
set whole 0 0 32
set whole 0 8 32
register 1 1
register 2 2
escaped 0 1
alive 0 1
alive 1 1
before 1 1
near 4 0 8 w 20 2
near 5 0 8 w 20 2
entry 0 0
entry 1 2
index 1 &0+0 32
move 2 1 8
start 0 1 1 &1+0
go 1 0
renew 2 3 0
take 3 4 2 w m 0 8
access 4 5 1 4 w 0 0
give 5 6 5 2 m 0 8
over 1 6
end
";

#[test]
fn each_rule_about_locks_beside_data_refuses() {
    check(NEAR, "accepted");
    const NEAR_4: &str = "a lock beside an address at point 4";
    const NEAR_5: &str = "a lock beside an address at point 5";
    let changes: &[(&str, &str, &str)] = &[
        ("near 4 0 8 w 20 2\n", "", NEAR_5),
        ("near 4 0 8 w 20 2", "near 4 0 16 w 20 2", NEAR_4),
        ("near 4 0 8 w 20 2", "near 4 1 8 w 20 2", NEAR_4),
        ("near 4 0 8 w 20 2", "near 4 0 8 w 4 2", NEAR_4),
        ("near 4 0 8 w 20 2", "near 4 0 8 w 20 1", NEAR_4),
        ("near 4 0 8 w 20 2", "near 4 0 8 w 20 2\nnear 2 0 8 w 20 2", "begins with nothing held"),
        ("near 4 0 8 w 20 2", "near 4 0 8 w 20 2\nnear 3 0 8 w 20 2", "a lock beside an address at point 3"),
        ("near 4 0 8 w 20 2", "near 4 0 8 w 20 2\nnear 6 0 8 w 20 2", "a lock beside an address at point 6"),
        ("take 3 4 2 w m 0 8", "take 3 4 2 w m", NEAR_4),
        ("take 3 4 2 w m 0 8", "take 3 4 2 r m 0 8", NEAR_4),
        ("take 3 4 2 w m 0 8", "take 3 4 1 w m 0 8", NEAR_4),
        // The address of the form changes, or may change; or the access has no form, or another one.
        ("take 3 4 2 w m 0 8", "take 3 4 2 w m 0 8\nrenew 4 4 0", NEAR_4),
        ("take 3 4 2 w m 0 8", "take 3 4 2 w m 0 8\nanew 4 4 0", NEAR_4),
        ("take 3 4 2 w m 0 8", "take 3 4 2 w m 0 8\nrenew 4 4 1", "accepted"),
        ("access 4 5 1 4 w 0 0", "access 4 5 1 4 w", "may race"),
        ("access 4 5 1 4 w 0 0", "access 4 5 1 4 w 1 0", "may race"),
        ("access 4 5 1 4 w 0 0", "access 4 5 1 64 w 0 0", NEAR_5),
        ("access 4 5 1 4 w 0 0", "access 4 5 1 4 w 0 0\naccess 4 5 1 4 w 0 4", "may race"),
        ("near 5 0 8 w 20 2\n", "", "may race"),
        ("give 5 6 5 2 m 0 8", "give 5 6 6 2 m 0 8", "may race"),
        // The lock is overwritten, or used as another kind of lock, or elements overlap.
        ("go 1 0", "access 1 0 &0+8 4 w", "may race"),
        ("go 1 0", "take 1 0 &0+8 w s", "may race"),
        ("index 1 &0+0 32", "index 1 &0+0 16", "another address"),
        ("set whole 0 0 32\nset whole 0 8 32", "set whole 0 0 16\nset whole 0 8 16", NEAR_5),
    ];
    for (old, new, expect) in changes {
        assert!(NEAR.contains(old), "{old}");
        check(&NEAR.replacen(old, new, 1), expect);
    }
}

/// A loop starts threads and stores their ids in object 1; another loop joins all of them. Then object 0 is written.
const ALIKE: &str = "\
thread -
thread 0
point 0 0
point 0 1
point 0 1
point 0 1
point 0 2
point 0 3
point 0 4
point 1 0
point 1 1
object variable 4
object variable 8
object made 1 16
set whole 1 0 8
set whole 2 0 0
register 1 1
cell 1 0 8 8 2
escaped 0 1 2
alive 1 1
alive 2 1
alive 3 1
alive 4 1
before 1 1
entry 0 0
entry 1 7
index 1 &1+0 8
store 1 8 &2+0
create 1 1 2
go 0 1
start 1 2 1 &2+0
access 2 3 1 8 n
go 3 1
go 1 4
go 4 4
join-alike 4 5 &1+0 8 0 0
access 5 6 &0+0 4 w
access 7 8 &0+0 4 r
over 0 6
over 1 8
end
";

/// Two threads are started by two calls; a loop joins both.
const RANGE: &str = "\
thread -
thread 0
thread 0
point 0 0
point 0 1
point 0 2
point 0 3
point 0 4
point 0 5
point 0 6
point 1 0
point 1 1
point 2 0
point 2 1
object variable 4
object variable 8
object made 0 16
object made 2 16
set whole 2 0 0
set whole 3 0 0
cell 1 0 0 8 1
cell 1 8 0 8 2
escaped 0 1 2 3
alive 1 1
alive 2 1
alive 3 1 2
alive 4 1 2
before 2 1
entry 0 0
entry 1 7
entry 2 9
store &1+0 8 &2+0
store &1+8 8 &3+0
create &1+0 0 1
create &1+8 2 3
start 0 1 1 &2+0
access 1 2 &1+0 8 n
start 2 3 2 &3+0
access 3 4 &1+8 8 n
go 4 4
join-range 4 5 &1+0 8 0 0 2
access 5 6 &0+0 4 w
access 7 8 &0+0 4 r
access 9 10 &0+0 4 r
over 0 6
over 1 8
over 2 10
end
";

#[test]
fn each_rule_about_loops_that_wait_refuses() {
    check(ALIKE, "accepted");
    check(RANGE, "accepted");
    const RUN: &str = "which threads may run at point 5";
    let alike: &[(&str, &str, &str)] = &[
        ("join-alike 4 5 &1+0 8 0 0", "go 4 5", RUN),
        // Another array, another size of its elements, or an array that may exist several times.
        ("join-alike 4 5 &1+0 8 0 0", "join-alike 4 5 &0+0 8 0 0", RUN),
        ("join-alike 4 5 &1+0 8 0 0", "join-alike 4 5 &1+0 4 0 0", RUN),
        ("object variable 8\nobject made", "object made 1 8\nobject made", RUN),
        // Something else writes to the array, or the call does not write one element.
        ("go 0 1", "access 0 1 &1+8 8 w", RUN),
        ("go 0 1", "access 0 1 &1+8 - e", "accepted"),
        ("access 2 3 1 8 n", "go 2 3", RUN),
        ("access 2 3 1 8 n", "access 2 3 1 16 n", RUN),
        // The call does not both start a thread and store its id, or the id does not belong to one thread only.
        ("create 1 1 2", "create 1 2", RUN),
        ("create 1 1 2", "create 1 0 1", RUN),
        ("over 0 6", "over 0 6\ndetach &2+0", RUN),
        ("start 1 2 1 &2+0", "start 1 2 1 &2", RUN),
        ("object made 1 16", "object variable 16", RUN),
        // The function may be entered again.
        ("join-alike 4 5 &1+0 8 0 0", "join-alike 4 5 &1+0 8 1 0", RUN),
    ];
    let range: &[(&str, &str, &str)] = &[
        ("join-range 4 5 &1+0 8 0 0 2", "join-range 4 5 &1+0 8 0 0 1", RUN),
        ("join-range 4 5 &1+0 8 0 0 2", "join-range 4 5 &1+0 8 0 1 2", RUN),
        ("join-range 4 5 &1+0 8 0 0 2", "join-range 4 5 &1+8 8 0 0 2", RUN),
        ("join-range 4 5 &1+0 8 0 0 2", "join-range 4 5 &1+0 16 0 0 2", RUN),
        ("join-range 4 5 &1+0 8 0 0 2", "join-range 4 5 &1+0 0 0 0 2", RUN),
        ("join-range 4 5 &1+0 8 0 0 2", "join-range 4 5 &1+0 8 4 0 2", RUN),
        ("create &1+8 2 3", "create &1+0 2 3", RUN),
        ("access 3 4 &1+8 8 n", "access 3 4 &1+0 8 n", RUN),
        // One of the threads may be started twice.
        ("start 2 3 2 &3+0", "start 2 3 2 &3+0\nstart 2 3 2 &3+0", RUN),
    ];
    for (base, changes) in [(ALIKE, alike), (RANGE, range)] {
        for (old, new, expect) in changes {
            assert!(base.contains(old), "{old}");
            check(&base.replacen(old, new, 1), expect);
        }
    }
}

/// A program that races is rejected, whatever is claimed about it: only claims are changed, not the program.
#[test]
fn no_facts_prove_a_race_away() {
    let programs = [
        fixed().replace("take 5 6 &0+0 w m", "go 5 6"),
        fixed().replace("take 5 6 &0+0 w m", "take 5 6 &0+0 w s"),
        fixed()
            .replace("take 1 2 &0+0 w m", "take 1 2 &0+0 r m")
            .replace("take 5 6 &0+0 w m", "take 5 6 &0+0 r m"),
        JOINED.replace("join 1 2 1", "go 1 2"),
        JOINED.replace("start 0 1 1 1", "start 0 1 1 1\ngo 1 0"),
        // Which object is written without the lock is known by its pointer only.
        fixed().replace("access 2 3 &1+0 4 w", "access 1 2 1 4 w"),
        fixed().replace("take 5 6 &0+0 w m", "go 5 6").replace("load 1 &3+0 8", "load 4 &3+0 8\nmove 1 4 0"),
        ALIKE.replace("join-alike 4 5 &1+0 8 0 0", "go 4 5"),
        ALIKE.replace("go 0 1", "access 0 1 &1+8 8 w"),
        RANGE.replace("join-range 4 5 &1+0 8 0 0 2", "join-range 4 5 &1+0 8 0 0 1"),
        tried().replace("zero 2 8 7", "go 2 8"),
        tried().replace("zero 2 8 7", "zero 2 8 6"),
        NEAR.replace("give 5 6 5 2 m 0 8", "give 5 6 6 2 m 0 8"),
        NEAR.replace("access 4 5 1 4 w 0 0", "access 4 5 1 4 w"),
        NEAR.replace("take 3 4 2 w m 0 8", "take 3 4 2 w m 0 8\nrenew 4 4 0"),
        // It leaves an atomic section before it writes.
        fixed().replace("take 5 6 &0+0 w m", "enter 5 5\nleave 5 6").replace("point 1 1", "point 1 0"),
    ];
    let mut rng = Rng::with_seed(11);
    for program in &programs {
        for _ in 0..20_000 {
            let mut text = program.clone();
            for _ in 0..1 + rng.u8(..4) {
                text = change_facts(&text, &mut rng);
            }
            assert!(check_races(text.as_bytes()).is_err(), "accepted:\n{text}");
        }
    }
}

const FACTS: [&str; 11] =
    ["near", "tried", "held", "alive", "inside", "left", "before", "escaped", "set", "register", "cell"];

fn change_facts(text: &str, rng: &mut Rng) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let facts: Vec<usize> = (0..lines.len())
        .filter(|i| lines[*i].split(' ').next().is_some_and(|w| FACTS.contains(&w)))
        .collect();
    let points: Vec<usize> = (0..lines.len()).filter(|i| lines[*i].starts_with("point ")).collect();
    match rng.u8(..6) {
        5 if !facts.is_empty() => {
            let at = facts[rng.usize(..facts.len())];
            let mut words: Vec<String> = lines[at].split(' ').map(str::to_owned).collect();
            let word = rng.usize(1..words.len());
            words[word] = match words[word].as_str() {
                "whole" => "part".to_owned(),
                "part" => "whole".to_owned(),
                _ => rng.u8(..9).to_string(),
            };
            lines[at] = words.join(" ");
        }
        0 if !facts.is_empty() => drop(lines.remove(facts[rng.usize(..facts.len())])),
        1 => {
            let at = points[rng.usize(..points.len())];
            let thread = lines[at].split(' ').nth(1).unwrap_or("0").to_owned();
            lines[at] = format!("point {thread} {}", rng.u8(..6));
        }
        _ => {
            let (p, t) = (rng.usize(..points.len()), rng.u8(..2));
            let new = match rng.u8(..10) {
                0 | 1 => format!("held {p} {} 0 {} 20", rng.u8(..2), if rng.bool() { "w" } else { "r" }),
                2 => format!("alive {p} {t}"),
                3 => format!("left {t} 1"),
                4 => format!("inside {p} {}", rng.u8(..3)),
                5 => format!("register {} {}", rng.u8(..5), rng.u8(..3)),
                8 => format!("near {p} 0 {} w 20 {}", 8 * rng.u8(..2), rng.u8(..3)),
                7 => format!("tried {p} {} 0 0 w 20", 6 + rng.u8(..2)),
                6 => format!("cell {} {} 0 8 {}", rng.u8(..4), rng.u8(..2) * 8, rng.u8(..3)),
                _ => format!("set whole {} 0 {}", rng.u8(..4), rng.u8(..2)),
            };
            let place = lines.iter().position(|l| l.starts_with("entry")).unwrap_or(1);
            lines.insert(place, new);
        }
    }
    lines.iter().map(|line| line.clone() + "\n").collect()
}

/// Any change at all: the checker never panics.
#[test]
fn random_changes_do_no_harm() {
    let mut rng = Rng::with_seed(5);
    let (mut accepted, mut refused) = (0, 0);
    for base in [fixed(), JOINED.to_owned(), ALIKE.to_owned(), RANGE.to_owned(), NEAR.to_owned(), tried()] {
        for _ in 0..10_000 {
            let mut lines: Vec<Vec<String>> =
                base.lines().map(|line| line.split(' ').map(str::to_owned).collect()).collect();
            let (a, b) = (rng.usize(..lines.len()), rng.usize(..lines.len()));
            let at = rng.usize(..lines[a].len());
            match rng.u8(..6) {
                0 => drop(lines.remove(a)),
                1 => lines.swap(a, b),
                2 => drop(lines[a].remove(at)),
                3 => {
                    lines[a][at] =
                        ["-", "x", "99999999999999999999", "-9223372036854775808"][rng.usize(..4)].into()
                }
                _ => lines[a][at] = rng.i8(..12).to_string(),
            }
            let text: String = lines.iter().map(|line| line.join(" ") + "\n").collect();
            match check_races(text.as_bytes()) {
                Ok(_) => accepted += 1,
                Err(_) => refused += 1,
            }
        }
    }
    assert!(refused > 15_000 && accepted > 500, "{accepted} accepted, {refused} refused");
}

/// A thread with a wrong parent would run unnoticed: the first thread races with one that its child has started.
#[test]
fn a_parent_is_who_starts() {
    let text = |parent: u32| {
        format!(
            "thread -\nthread 0\nthread {parent}\npoint 0 0\npoint 0 1\npoint 0 2\npoint 1 0\npoint 1 1\npoint 2 0\n\
             point 2 1\nobject variable 4\nobject made 0 8\nobject made 3 8\nescaped 0 1 2\nalive 1 1\nalive 2 1\n\
             alive 4 2\nleft 1 2\nentry 0 0\nentry 1 3\nentry 2 5\nstart 0 1 1 &1+0\naccess 1 2 &0+0 4 w\n\
             start 3 4 2 &2+0\naccess 5 6 &0+0 4 r\nover 1 4\nover 2 6\nend\n"
        )
    };
    let why = |parent| check_races(text(parent).as_bytes()).expect_err("they race").to_string();
    assert!(why(0).contains("thread 2 is started by one that is not its parent"), "{}", why(0));
    assert!(why(1).contains("which threads may run at point 1"), "{}", why(1));
}
