//! Asking the machine what a thread could do at some moment that need not be one of the execution.

use crate::explorer::Explorer;
use crate::memo::Answer;
use crate::path::Cut;
use crate::touches::Touches;
use crate::tree::Step;
use std::rc::Rc;
use tp_machine::{Attempt, End, ThreadNumber};

impl Explorer<'_, '_, '_> {
    /// What a thread can do after the events of a cut that has all before `position`.
    pub fn answer(&mut self, position: usize, thread: ThreadNumber, events: u32, cut: &Cut) -> Answer {
        if self.path.spins(thread, events, cut) {
            return Answer { thread, step: None, touches: Touches::new(self.path.round_of(thread, events)) };
        }
        let state = self.path.state_of(thread, events);
        if let Some(known) = self.memo.find(state, &self.path, cut) {
            return known.clone();
        }
        self.go_to(position);
        let between: Vec<usize> = self.path.within(cut, position).collect();
        for at in between {
            let step = &self.path.events[at].step;
            self.tape.borrow_mut().begin(&step.label);
            self.session.attempt(step.thread);
        }
        let answer = self.ask(thread);
        self.session.back_to(position);
        self.memo.note(state, &self.path, cut, answer.clone());
        answer
    }

    /// Lets a thread try; the machine is left after its step.
    fn ask(&mut self, thread: ThreadNumber) -> Answer {
        let mut open = vec![Vec::new()];
        let mut read = Touches::new([]);
        while let Some(given) = open.pop() {
            self.tape.borrow_mut().begin(&given);
            let attempt = self.session.attempt(thread);
            let touches = Touches::new(self.session.touched());
            let possible = match &attempt {
                Attempt::Taken => true,
                Attempt::Waits | Attempt::Spins => false,
                Attempt::Ends(end) => matches!(**end, End::Violation(_)),
            };
            if possible {
                let label: Rc<[u128]> = self.tape.borrow().label.as_slice().into();
                let step = Step { thread, label, fixed: 0, touches: touches.clone() };
                return Answer { thread, step: Some(step), touches };
            }
            open.extend(self.tape.borrow().alternatives(given.len()));
            read = touches;
        }
        Answer { thread, step: None, touches: read }
    }

    /// Remembers that a thread has to wait at the end of the path.
    pub fn note_waiting(&mut self, thread: ThreadNumber, touches: &Rc<Touches>) {
        let events = self.path.threads[thread as usize].len() as u32;
        let state = self.path.state_of(thread, events);
        let cut = self.path.prefix(self.path.len());
        let answer = Answer { thread, step: None, touches: touches.clone() };
        self.memo.note(state, &self.path, &cut, answer);
    }
}
