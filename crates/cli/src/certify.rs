//! Certificates: `threadproof check --certify` leaves one, `threadproof certify` checks it.

use crate::args::CertifyArgs;
use crate::exit::{CommandError, Exit};
use crate::load::path_text;
use crate::output::Out;
use crate::record;
use serde_json::json;
use std::fs::File;
use std::io::{BufReader, BufWriter, Write};
use std::path::Path;
use tp_certify::{Certificate, CertificateSummary, Counts, PartSummary};
use tp_driver::StopReason;
use tp_engines::{Certified, Uncertified};
use tp_report::{CertificateFile, Verdict, count};

/// `threadproof certify`: says what the file shows, or which line of it does not hold.
pub fn certify(args: &CertifyArgs) -> Result<Exit, CommandError> {
    let path = path_text(&args.certificate);
    let checked = match check(&args.certificate) {
        Ok(summary) => Ok(summary),
        Err(tp_certify::CertificateError::Rejected(rejected)) => Err(rejected),
        Err(other) => return Err(CommandError::Unreadable { path, reason: other.to_string() }),
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

fn check(path: &Path) -> Result<CertificateSummary, tp_certify::CertificateError> {
    tp_certify::check(BufReader::new(File::open(path)?))
}

fn lines(summary: &CertificateSummary) -> Vec<String> {
    let all = |what: &'static str| summary.about.iter().filter(move |a| a.0 == what).map(|a| a.1.as_str());
    let programs: Vec<&str> = all("program").collect();
    let about = if programs.is_empty() { "a program" } else { &programs.join(", ") };
    let mut lines = vec![format!("it is about: {about}: {}", summary.verdict)];
    lines.extend(all("ledger").map(str::to_owned));
    for part in &summary.parts {
        lines.extend([format!("shown: {}", part.shows), format!("by: {}", by(&part.counts))]);
    }
    lines.push("certificate: accepted".to_owned());
    lines
}

/// What a part consists of.
fn by(counts: &Counts) -> String {
    let sizes = match counts {
        Counts::Order(order) if order.goals.is_empty() => {
            return "nothing is left that could be reached".into();
        }
        Counts::Order(order) => vec![
            count(order.goals.len() as u64, "goal"),
            count(order.clauses, "clause"),
            count(order.threads, "thread"),
            count(order.nodes, "node"),
            count(order.reads, "read"),
            count(order.lemmas, "lemma"),
            count(order.steps, "step"),
        ],
        Counts::Races(races) => vec![
            count(races.threads, "thread"),
            count(races.points, "point"),
            if races.accesses == 1 { "1 access".into() } else { format!("{} accesses", races.accesses) },
            format!("{} of accesses", count(races.pairs, "pair")),
        ],
    };
    sizes.join(", ")
}

fn document(summary: &CertificateSummary) -> serde_json::Value {
    let parts: Vec<serde_json::Value> = summary.parts.iter().map(part).collect();
    json!({
        "tool": record::TOOL,
        "command": "certify",
        "accepted": true,
        "verdict": summary.verdict,
        "about": summary.about,
        "parts": parts,
    })
}

fn part(part: &PartSummary) -> serde_json::Value {
    match &part.counts {
        Counts::Order(order) => json!({
            "shows": part.shows,
            "kind": "order",
            "goals": order.goals,
            "clauses": order.clauses,
            "threads": order.threads,
            "nodes": order.nodes,
            "reads": order.reads,
            "orders": order.orders,
            "lemmas": order.lemmas,
            "steps": order.steps,
        }),
        Counts::Races(races) => json!({
            "shows": part.shows,
            "kind": "races",
            "threads": races.threads,
            "points": races.points,
            "accesses": races.accesses,
            "pairs": races.pairs,
        }),
    }
}

/// Writes the certificate of a verdict, or says why there is none. What is written has been checked.
pub fn leave(
    path: &Path,
    certified: Certified,
    about: Vec<(String, String)>,
    verdict: &Verdict,
    stopped: Option<StopReason>,
) -> Result<Option<CertificateFile>, CommandError> {
    let certificate = match certified {
        Some(Ok(certificate)) => Certificate { about, ..certificate },
        Some(Err(Uncertified::Fault(why))) => return Err(CommandError::Internal(why)),
        Some(Err(Uncertified::NotSimple)) => {
            eprintln!(
                "note: no certificate was written: that nothing races was shown by an analysis, with facts that the checker \
                 does not know"
            );
            return Ok(None);
        }
        Some(Err(Uncertified::Stopped)) => {
            let why = stopped.unwrap_or(StopReason::Interrupted).words();
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
        Ok(summary) => Ok(Some(file(path, &summary))),
        Err(error) => Err(CommandError::Internal(format!("{}: {error}", path.display()))),
    }
}

/// The sizes of all parts together.
fn file(path: &Path, summary: &CertificateSummary) -> CertificateFile {
    let mut file = CertificateFile { path: path_text(path), lemmas: 0, steps: 0, pairs: 0 };
    for part in &summary.parts {
        match &part.counts {
            Counts::Order(order) => {
                file.lemmas += order.lemmas;
                file.steps += order.steps;
            }
            Counts::Races(races) => file.pairs += races.pairs,
        }
    }
    file
}

fn write(path: &Path, certificate: &Certificate) -> std::io::Result<()> {
    let mut out = BufWriter::new(File::create(path)?);
    certificate.write(&mut out)?;
    out.flush()
}
