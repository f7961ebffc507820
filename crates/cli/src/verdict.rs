//! What a campaign of runs says about the program.

use crate::campaign::Campaign;
use tp_ir::Program;
use tp_machine::End;
use tp_report::{Verdict, count, end_reason};

pub fn of_campaign(program: &Program, campaign: &Campaign, max_steps: u64) -> Verdict {
    if let Some(End::Violation(finding)) = campaign.violation.as_ref().map(|v| &v.end) {
        return Verdict::Violated(vec![finding.property]);
    }
    let runs = count(campaign.runs, "run");
    Verdict::Unknown(match (campaign.stopped, &campaign.trouble) {
        (Some(reason), _) => format!("{} after {runs}, no violation", reason.words()),
        (None, Some(trouble)) => end_reason(program, &trouble.end, max_steps),
        (None, None) if campaign.assumption == campaign.runs => format!("{runs}, all cut by an assumption"),
        (None, None) => format!("{runs}, no violation"),
    })
}

/// How the runs ended, in a line: `200 runs: 198 ended, 2 cut by an assumption`.
pub fn summary(campaign: &Campaign) -> String {
    let kinds = [
        (campaign.exited, "ended"),
        (campaign.assumption, "cut by an assumption"),
        (campaign.given_up, "given up"),
        (campaign.violated, "violated"),
    ];
    let kinds: Vec<String> =
        kinds.iter().filter(|k| k.0 > 0).map(|(n, what)| format!("{n} {what}")).collect();
    let same = if campaign.all_the_same { "; all are the same: one thread, no input" } else { "" };
    format!(
        "{}: {}; {}, {}{same}",
        count(campaign.runs, "run"),
        if kinds.is_empty() { "none ended".to_owned() } else { kinds.join(", ") },
        count(campaign.threads.into(), "thread"),
        count(campaign.steps, "step"),
    )
}
