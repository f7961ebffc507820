//! What the front end makes of small sources. `UPDATE_EXPECT=1 cargo test -p threadproof-frontend` accepts new output.

mod bad_input;
mod debug;
mod import;
mod link;
mod project;
