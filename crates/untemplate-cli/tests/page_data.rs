//! Data that pages have for programs, in the tables: values that stand there alone are columns, and
//! properties are names.

mod program;

use program::Bench;

/// A shop that says more to programs than to people.
fn write_shop(bench: &Bench) {
    let mut links = String::new();
    for number in 1..=8 {
        links.push_str(&format!("<li><a href=lamps/{number}.html>Lamp no. {number}</a>"));
        let html = format!(
            r#"<title>Lamp no. {number}</title><script type="application/ld+json">{{"@type": "Product", "name": "Lamp no. {number}", "sku": "LX-{number}7",
            "offers": {{"@type": "Offer", "price": {number}9.5, "priceCurrency": "EUR", "availability": "stock level {number}"}}}}</script>
            <p><a href=../index.html>Home</a><h1>Lamp no. {number}</h1><div class=x1 itemprop="weight">{number}10 g</div><div class=x2>€ {number}9.50</div>"#
        );
        bench.write(&format!("shop/lamps/{number}.html"), html);
    }
    bench.write(
        "shop/index.html",
        format!("<title>Lamps</title><h1>Lamps</h1><ul>{links}</ul>"),
    );
}

#[test]
fn what_pages_say_to_programs_alone_is_a_column() {
    let bench = Bench::new();
    write_shop(&bench);
    let told = bench.run(&["rebuild", "shop", "-q", "--format", "csv", "-o", "tables"]);
    assert_eq!(told.code, 0, "{}", told.err);
    let table = bench.read("tables/lamps.csv");
    let names: Vec<&str> = table
        .lines()
        .next()
        .expect("a row of names")
        .trim_end()
        .split(',')
        .collect();
    for name in ["sku", "availability", "weight"] {
        assert!(names.contains(&name), "{name}: {names:?}");
    }
    assert!(table.contains("LX-37") && table.contains("stock level 3"), "{table}");
    // What a person sees has its column already.
    assert!(!names.contains(&"price") && !names.contains(&"type"), "{names:?}");
}

/// The same shop in the other ways of saying things to programs.
fn write_marked_shop(bench: &Bench) {
    let mut links = String::new();
    for number in 1..=8 {
        links.push_str(&format!("<li><a href=lamps/{number}.html>Lamp no. {number}</a>"));
        let html = format!(
            r#"<title>Lamp no. {number}</title><meta property="og:title" content="Lamp no. {number}"><meta property="product:price:amount" content="{number}9.5">
            <div itemscope itemtype="https://schema.org/Product"><h1 itemprop="name">Lamp no. {number}</h1><meta itemprop="sku" content="LX-{number}7"></div>
            <div vocab="https://schema.org/" typeof="Product"><span property="releaseDate" content="200{number}-01-1{number}">some time ago</span></div>
            <p><a href=../index.html>Home</a> <a href=/gone-{number}.html>more</a>"#
        );
        bench.write(&format!("shop/lamps/{number}.html"), html);
    }
    bench.write(
        "shop/index.html",
        format!("<title>Lamps</title><h1>Lamps</h1><ul>{links}</ul>"),
    );
}

#[test]
fn microdata_rdfa_and_open_graph_are_columns_with_their_types() {
    let bench = Bench::new();
    write_marked_shop(&bench);
    let told = bench.run(&["rebuild", "shop", "-q", "--format", "csv", "-o", "tables"]);
    assert_eq!(told.code, 0, "{}", told.err);
    let table = bench.read("tables/lamps.csv");
    for value in ["LX-37", "2003-01-13", "39.5"] {
        assert!(table.contains(value), "{value}: {table}");
    }
    let schema = bench.read("tables/schema.toml");
    let of = |name: &str| {
        let column = schema.split("[[table.column]]").find(|column| column.contains(name));
        column.unwrap_or_else(|| panic!("no column {name}: {schema}"))
    };
    assert!(of("name = \"release_date\"").contains("type = \"date\""), "{schema}");
    assert!(of("such as \"19.5\"").contains("type = \"decimal\""), "{schema}");
    // What was left out is a list, and the files are a click away.
    let report = bench.read("tables/report.html");
    for part in [
        "Dead addresses",
        "/gone-1.html",
        "/gone-8.html",
        "lamps.csv\">lamps.csv",
        "UTC",
    ] {
        assert!(report.contains(part), "{part}: {report}");
    }
}
