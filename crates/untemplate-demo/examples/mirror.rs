//! Writes a demo site to a folder: `cargo run --example mirror -- DIR [PLAYERS]
//! [modern|tables|plain|wild]`.

use std::path::Path;
use untemplate_demo::{DatabaseOptions, DemoSite, Skin, write_mirror};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let dir = arguments.first().ok_or("name a folder to write to")?;
    let players = arguments.get(1).map_or(Ok(60), |players| players.parse())?;
    let skin = arguments.get(2).map_or(Ok(Skin::Modern), |skin| skin.parse())?;
    let site = DemoSite::new(DatabaseOptions { players, seed: 1 }, skin);
    let report = write_mirror(&site, Path::new(dir))?;
    println!(
        "{} pages, {} bytes in {}",
        report.pages,
        report.bytes,
        report.site_dir.display()
    );
    Ok(())
}
