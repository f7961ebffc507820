//! Certificates: `threadproof check --certify` leaves one, `threadproof certify` checks it.

use crate::args::CertifyArgs;
use crate::exit::{Exit, Failure};
use crate::load::path_text;
use crate::output::Out;
use crate::record;
use crate::stop;
use crate::verdict::count;
use serde_json::json;
use std::fs::File;
use std::io::{BufReader, BufWriter, Write};
use std::path::Path;
use tp_certify::{Certificate, Summary};
use tp_engines::{Certified, Uncertified};
use tp_report::{CertificateFile, Verdict};

/// `threadproof certify`: says what the file shows, or which line of it does not hold.
pub fn certify(args: &CertifyArgs) -> Result<Exit, Failure> {
    let path = path_text(&args.certificate);
    let checked = match check(&args.certificate) {
        Ok(summary) => Ok(summary),
        Err(tp_certify::Failure::Rejected(rejected)) => Err(rejected),
        Err(other) => return Err(Failure::Unreadable { path, reason: other.to_string() }),
    };
    let mut out = Out::stdout();
    match (&checked, args.json) {
        (Ok(summary), false) => lines(summary).iter().for_each(|line| out.line(line)),
        (Ok(summary), true) => out.document(&document(summary)),
        (Err(rejected), false) => {
            eprintln!("error: {path}: {rejected}");
            out.line("certificate: rejected");
        }
        (Err(rejected), true) => out.document(&json!({
            "tool": record::TOOL,
            "command": "certify",
            "accepted": false,
            "line": rejected.line,
            "lemma": rejected.lemma,
            "reason": rejected.why.to_string(),
        })),
    }
    Ok(if checked.is_ok() { Exit::Safe } else { Exit::Violated })
}

fn check(path: &Path) -> Result<Summary, tp_certify::Failure> {
    tp_certify::check(BufReader::new(File::open(path)?))
}

fn lines(summary: &Summary) -> Vec<String> {
    let all = |what: &'static str| summary.about.iter().filter(move |a| a.0 == what).map(|a| a.1.as_str());
    let programs: Vec<&str> = all("program").collect();
    let about = if programs.is_empty() { "a program" } else { &programs.join(", ") };
    if let Some(races) = &summary.races {
        let sizes = [(races.threads, "thread"), (races.points, "point"), (races.accesses, "access")];
        let sizes: Vec<String> = sizes.iter().map(|(n, what)| counted(*n, what)).collect();
        let mut lines = vec![format!("it is about: {about}: {}", summary.verdict)];
        lines.extend(all("ledger").map(str::to_owned));
        lines.extend([
            format!("shown: no two accesses race, given {}", sizes.join(", ")),
            format!("by: {} of accesses", count(races.pairs, "pair")),
            "certificate: accepted".to_owned(),
        ]);
        return lines;
    }
    let shown = match summary.goals.len() {
        0 => "nothing is left that could be reached".to_owned(),
        1 => "no execution reaches the goal".to_owned(),
        n => format!("no execution reaches any of {n} goals"),
    };
    let structure = [
        (summary.clauses, "clause"),
        (summary.threads, "thread"),
        (summary.nodes, "node"),
        (summary.reads, "read"),
    ];
    let structure: Vec<String> = structure.iter().map(|(n, what)| count(*n, what)).collect();
    let mut lines = vec![format!("it is about: {about}: {}", summary.verdict)];
    lines.extend(all("ledger").map(str::to_owned));
    lines.extend([
        format!("shown: {shown}, given {}", structure.join(", ")),
        format!("by: {}, {}", count(summary.lemmas, "lemma"), count(summary.steps, "step")),
        "certificate: accepted".to_owned(),
    ]);
    lines
}

fn counted(n: u64, what: &str) -> String {
    if what == "access" && n != 1 { format!("{n} accesses") } else { count(n, what) }
}

fn document(summary: &Summary) -> serde_json::Value {
    json!({
        "tool": record::TOOL,
        "command": "certify",
        "accepted": true,
        "verdict": summary.verdict,
        "about": summary.about,
        "goals": summary.goals,
        "clauses": summary.clauses,
        "threads": summary.threads,
        "nodes": summary.nodes,
        "reads": summary.reads,
        "orders": summary.orders,
        "lemmas": summary.lemmas,
        "steps": summary.steps,
        "races": summary.races.as_ref().map(|races| json!({
            "threads": races.threads,
            "points": races.points,
            "accesses": races.accesses,
            "pairs": races.pairs,
        })),
    })
}

/// Writes the certificate of a verdict, or says why there is none. What is written has been checked.
pub fn leave(
    path: &Path,
    certified: Certified,
    about: Vec<(String, String)>,
    verdict: &Verdict,
    stopped: Option<stop::Reason>,
) -> Result<Option<CertificateFile>, Failure> {
    let certificate = match certified {
        Some(Ok(certificate)) => Certificate { about, ..certificate },
        Some(Err(Uncertified::Fault(why))) => return Err(Failure::Internal(why)),
        Some(Err(Uncertified::NotSimple)) => {
            eprintln!(
                "note: no certificate was written: that nothing races was seen by more than locks that are always taken and \
                 threads that are waited for one by one"
            );
            return Ok(None);
        }
        Some(Err(Uncertified::Stopped)) => {
            let why = stopped.unwrap_or(stop::Reason::Interrupted).words();
            eprintln!("note: no certificate was written: {why} before it was complete");
            return Ok(None);
        }
        None => {
            eprintln!("note: no certificate was written: there is none for `{verdict}`");
            return Ok(None);
        }
    };
    if let Err(error) = write(path, &certificate) {
        // A disk that is full must not hide what was found.
        eprintln!("warning: cannot write {}: {error}", path.display());
        return Ok(None);
    }
    match check(path) {
        Ok(Summary { lemmas, steps, races, .. }) => {
            let pairs = races.map(|races| races.pairs);
            Ok(Some(CertificateFile { path: path_text(path), lemmas, steps, pairs }))
        }
        Err(error) => Err(Failure::Internal(format!("{}: {error}", path.display()))),
    }
}

fn write(path: &Path, certificate: &Certificate) -> std::io::Result<()> {
    let mut out = BufWriter::new(File::create(path)?);
    certificate.write(&mut out)?;
    out.flush()
}
