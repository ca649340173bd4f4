//! Prints the format's schema.

use super::streams::print;
use crate::cli::args::{SchemaArgs, SchemaLanguage};
use crate::format::schema;
use crate::run::exit::{DONE, Exit};

pub(super) fn run(args: &SchemaArgs) -> anyhow::Result<Exit> {
    let text = match args.language {
        SchemaLanguage::Json => schema::json_schema(),
        SchemaLanguage::Typescript => schema::typescript(),
    };
    print(text)?;
    Ok(Exit(DONE))
}
