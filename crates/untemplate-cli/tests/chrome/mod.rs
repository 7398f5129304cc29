//! A real Chromium without a window, driven over its own protocol: real clicks, real keys, pictures
//! of what is seen.

#![allow(dead_code, reason = "each test program uses a part of this")]

mod picture;

use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use base64::Engine;
use serde_json::{Value, json};
use tempfile::TempDir;

/// How long anything may take; a busy machine is no failure.
const PATIENCE: Duration = Duration::from_secs(60);

/// A message of the browser at most.
const MESSAGE_BYTES_MAX: u64 = 64 << 20;

pub struct Chrome {
    commands: ChildStdin,
    messages: Receiver<Value>,
    last_id: u64,
    process: Child,
    _profile: TempDir,
}

/// Views that show something under way, which is never twice the same.
const MOVING: [&str; 3] = ["look-live", "job-found-again", "look-rows-so-far"];

/// One tab.
#[derive(Clone)]
pub struct Tab {
    session: String,
}

impl Chrome {
    /// Starts the machine's Chromium; says so and gives `None` where there is none.
    pub fn start() -> Option<Self> {
        let Ok(program) = untemplate_crawl::find_browser() else {
            crate::program::skip("no Chromium on this machine");
            return None;
        };
        let profile = tempfile::tempdir().expect("a folder");
        let mut process = Command::new("sh")
            .arg("-c")
            .arg(r#"exec "$0" "$@" 3<&0 4>&1 0</dev/null 1>/dev/null"#)
            .arg(program)
            .args([
                "--headless=new",
                "--remote-debugging-pipe",
                "--no-first-run",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-background-networking",
                "--disable-component-update",
                "--hide-scrollbars",
                "--no-sandbox",
                // The frame of a crawled page is reached from the tab then.
                "--disable-site-isolation-trials",
                "--disable-features=IsolateSandboxedIframes,IsolateOrigins,site-per-process",
                "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
            ])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg("about:blank")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Chromium starts");
        let (sender, messages) = channel();
        let answers = process.stdout.take().expect("it has an output");
        thread::spawn(move || {
            let mut answers = BufReader::new(answers);
            let mut message = Vec::new();
            while answers
                .by_ref()
                .take(MESSAGE_BYTES_MAX)
                .read_until(0, &mut message)
                .is_ok_and(|n| n > 0)
            {
                message.pop();
                let told = serde_json::from_slice(&message).expect("messages are JSON");
                message.clear();
                if sender.send(told).is_err() {
                    return;
                }
            }
        });
        Some(Self {
            commands: process.stdin.take().expect("it has an input"),
            messages,
            last_id: 0,
            process,
            _profile: profile,
        })
    }

    /// Sends a command and waits for its answer; events are passed over.
    pub fn call(&mut self, tab: Option<&Tab>, method: &str, parameters: Value) -> Value {
        let answer = self.try_call(tab, method, parameters);
        answer.unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    fn try_call(&mut self, tab: Option<&Tab>, method: &str, parameters: Value) -> Result<Value, Value> {
        self.last_id += 1;
        let mut command = json!({"id": self.last_id, "method": method, "params": parameters});
        if let Some(tab) = tab {
            command["sessionId"] = json!(tab.session);
        }
        let mut text = command.to_string().into_bytes();
        text.push(0);
        self.commands.write_all(&text).expect("Chromium listens");
        loop {
            let message = self.messages.recv_timeout(PATIENCE).expect("Chromium answers in time");
            if message["id"] == self.last_id {
                let error = &message["error"];
                return if error.is_null() {
                    Ok(message["result"].clone())
                } else {
                    Err(error.clone())
                };
            }
        }
    }

    /// Opens a tab of a size at an address.
    pub fn open(&mut self, url: &str, (width, height): (u32, u32)) -> Tab {
        let target = self.call(None, "Target.createTarget", json!({"url": "about:blank"}));
        let attach = json!({"targetId": target["targetId"], "flatten": true});
        let session = self.call(None, "Target.attachToTarget", attach)["sessionId"].clone();
        let tab = Tab {
            session: session.as_str().expect("a session").to_owned(),
        };
        self.call(Some(&tab), "Page.enable", json!({}));
        self.resize(&tab, (width, height));
        self.go(&tab, url);
        tab
    }

    pub fn resize(&mut self, tab: &Tab, (width, height): (u32, u32)) {
        let size = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        self.call(Some(tab), "Emulation.setDeviceMetricsOverride", size);
    }

    pub fn go(&mut self, tab: &Tab, url: &str) {
        self.call(Some(tab), "Page.navigate", json!({"url": url}));
        self.wait(tab, "document.readyState === 'complete'");
    }

    /// What an expression gives in the tab's own page.
    pub fn eval(&mut self, tab: &Tab, expression: &str) -> Value {
        let asked = json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        let result = match self.try_call(Some(tab), "Runtime.evaluate", asked) {
            Ok(result) => result,
            // The tab is on its way to another page.
            Err(_) => return Value::Null,
        };
        assert!(
            result["exceptionDetails"].is_null(),
            "{expression}: {}",
            result["exceptionDetails"]
        );
        result["result"]["value"].clone()
    }

    /// What an expression gives in the page inside the frame, seen from beside its own scripts.
    pub fn eval_in_frame(&mut self, tab: &Tab, expression: &str) -> Value {
        let began = Instant::now();
        loop {
            match self.try_in_frame(tab, expression) {
                Ok(value) => return value,
                // The frame went on to another page meanwhile.
                Err(error) if began.elapsed() > PATIENCE => panic!("{expression}: {error}"),
                Err(_) => thread::sleep(Duration::from_millis(30)),
            }
        }
    }

    fn try_in_frame(&mut self, tab: &Tab, expression: &str) -> Result<Value, Value> {
        let tree = self.call(Some(tab), "Page.getFrameTree", json!({}));
        let frame = &tree["frameTree"]["childFrames"][0]["frame"]["id"];
        if frame.is_null() {
            return Ok(Value::Null);
        }
        let world = json!({"frameId": frame, "worldName": "test"});
        let context = self.try_call(Some(tab), "Page.createIsolatedWorld", world)?["executionContextId"].clone();
        let asked =
            json!({"expression": expression, "returnByValue": true, "awaitPromise": true, "contextId": context});
        let result = self.try_call(Some(tab), "Runtime.evaluate", asked)?;
        assert!(
            result["exceptionDetails"].is_null(),
            "{expression}: {}",
            result["exceptionDetails"]
        );
        Ok(result["result"]["value"].clone())
    }

    /// Waits until an expression is true in the tab's page.
    pub fn wait(&mut self, tab: &Tab, expression: &str) {
        self.wait_for(tab, expression, Self::eval);
    }

    /// Waits until an expression is true in the page inside the frame.
    pub fn wait_in_frame(&mut self, tab: &Tab, expression: &str) {
        self.wait_for(tab, expression, Self::eval_in_frame);
    }

    fn wait_for(&mut self, tab: &Tab, expression: &str, eval: fn(&mut Self, &Tab, &str) -> Value) {
        let began = Instant::now();
        let guarded = format!("(() => {{ try {{ return Boolean({expression}); }} catch (e) {{ return false; }} }})()");
        while eval(self, tab, &guarded) != Value::Bool(true) {
            if began.elapsed() > PATIENCE {
                let seen = self.eval(tab, "location.href + '\\n' + document.body.innerText.slice(0, 2000)");
                panic!("{expression} did not come true; there is {seen}");
            }
            thread::sleep(Duration::from_millis(30));
        }
    }

    /// Presses the mouse at a point of the window.
    pub fn click_at(&mut self, tab: &Tab, (x, y): (f64, f64)) {
        for kind in ["mouseMoved", "mousePressed", "mouseReleased"] {
            let (button, count) = if kind == "mouseMoved" { ("none", 0) } else { ("left", 1) };
            let event = json!({"type": kind, "x": x, "y": y, "button": button, "clickCount": count});
            self.call(Some(tab), "Input.dispatchMouseEvent", event);
        }
    }

    /// Clicks the middle of an element of the tab's page, given by an expression.
    ///
    /// Chromium drops what is pressed before the first paint of a page, and what moves is missed:
    /// the element is pressed again until it, or the page after it, has seen the press.
    pub fn click(&mut self, tab: &Tab, element: &str) {
        let began = Instant::now();
        loop {
            self.wait(tab, &format!("({element}).getClientRects().length"));
            let listen = format!(
                "(() => {{ window.pressAwaited = true; ({element}).addEventListener('mousedown', () => {{ window.pressAwaited = false; }}, {{capture: true, once: true}}); }})()"
            );
            self.eval(tab, &listen);
            let point = self.eval(tab, &point_of(element));
            if point.is_array() {
                self.click_at(tab, read_point(&point));
                if self.eval(tab, "window.pressAwaited === true") != Value::Bool(true) {
                    return;
                }
            }
            assert!(began.elapsed() < PATIENCE, "{element} cannot be pressed");
        }
    }

    /// Clicks the middle of an element inside the frame.
    pub fn click_in_frame(&mut self, tab: &Tab, element: &str) {
        self.wait_in_frame(tab, &format!("({element}).getClientRects().length"));
        let inner = read_point(&self.eval_in_frame(tab, &point_of(element)));
        self.click_in_frame_at(tab, inner);
    }

    /// Clicks the middle of some words in an element's own texts, inside the frame.
    pub fn click_words_in_frame(&mut self, tab: &Tab, element: &str, words: &str) {
        self.wait_in_frame(tab, &format!("({element}).getClientRects().length"));
        self.eval_in_frame(tab, &point_of(element));
        let inner = self.eval_in_frame(
            tab,
            &format!(
                "(() => {{ const text = [...({element}).childNodes].find(t => t.nodeType === 3 && t.data.includes({words:?})); \
                 const from = text.data.lastIndexOf({words:?}); const range = document.createRange(); \
                 range.setStart(text, from); range.setEnd(text, from + {}); const r = range.getBoundingClientRect(); \
                 return [r.left + r.width / 2, r.top + r.height / 2]; }})()",
                words.len()
            ),
        );
        self.click_in_frame_at(tab, read_point(&inner));
    }

    fn click_in_frame_at(&mut self, tab: &Tab, inner: (f64, f64)) {
        let outer = self.eval(
            tab,
            "(() => { const r = document.querySelector('iframe').getBoundingClientRect(); return [r.left, r.top]; })()",
        );
        let outer = read_point(&outer);
        self.click_at(tab, (inner.0 + outer.0, inner.1 + outer.1));
    }

    /// Presses a key.
    pub fn key(&mut self, tab: &Tab, key: &str) {
        let code = match key {
            "Enter" => 13,
            "Tab" => 9,
            "Escape" => 27,
            "ArrowUp" => 38,
            "ArrowDown" => 40,
            " " => 32,
            _ => i32::from(key.as_bytes()[0].to_ascii_uppercase()),
        };
        let text = match key {
            "Enter" => "\r",
            key if key.len() == 1 => key,
            _ => "",
        };
        let kind = if text.is_empty() { "rawKeyDown" } else { "keyDown" };
        let down = json!({"type": kind, "key": key, "text": text, "windowsVirtualKeyCode": code});
        self.call(Some(tab), "Input.dispatchKeyEvent", down);
        let up = json!({"type": "keyUp", "key": key, "windowsVirtualKeyCode": code});
        self.call(Some(tab), "Input.dispatchKeyEvent", up);
    }

    /// Writes what is seen to `target/screens`, by day and by night, wide and narrow; nothing of it
    /// may keep people from using it.
    pub fn screens(&mut self, tab: &Tab, name: &str) {
        for (size, width) in [((1280, 800), "1280"), ((400, 800), "400")] {
            self.resize(tab, size);
            for scheme in ["light", "dark"] {
                let media = json!({"features": [{"name": "prefers-color-scheme", "value": scheme}]});
                self.call(Some(tab), "Emulation.setEmulatedMedia", media);
                thread::sleep(Duration::from_millis(150));
                let (form, view) = (format!("{width}-{scheme}"), format!("{name}-{width}-{scheme}"));
                let png = self.screen(tab, &view);
                self.check_access(tab, &view);
                if !MOVING.contains(&name) {
                    let lightness = self.eval(tab, &picture::lightness_of(&png));
                    picture::check(name, &form, lightness.as_str().expect("digits"));
                }
            }
        }
        self.call(Some(tab), "Emulation.setEmulatedMedia", json!({"features": []}));
        self.resize(tab, (1280, 800));
    }

    /// Looks for what keeps people from using a view: fields without names, faint texts, what is
    /// too wide, and the like. Where `UNTEMPLATE_AXE` names the file of axe-core, that is asked as
    /// well.
    fn check_access(&mut self, tab: &Tab, view: &str) {
        let wrong = self.eval(tab, include_str!("checks.js"));
        assert_eq!(wrong, json!([]), "{view}");
        let Some(axe) = std::env::var_os("UNTEMPLATE_AXE") else {
            return;
        };
        let axe = std::fs::read_to_string(axe).expect("axe-core can be read");
        self.eval(tab, &format!("{axe}; 0"));
        let serious = "axe.run(document, {iframes: false}).then(told => told.violations \
            .filter(one => ['serious', 'critical'].includes(one.impact)) \
            .map(one => one.id + ': ' + one.nodes.map(node => node.html.slice(0, 90)).slice(0, 3).join(' | ')))";
        assert_eq!(self.eval(tab, serious), json!([]), "{view}");
    }

    /// Writes what is seen to a file; the picture, in base64.
    pub fn screen(&mut self, tab: &Tab, name: &str) -> String {
        let shot = self.call(Some(tab), "Page.captureScreenshot", json!({"format": "png"}));
        let data = shot["data"].as_str().expect("a picture");
        let picture = base64::engine::general_purpose::STANDARD
            .decode(data)
            .expect("it is base64");
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../target/screens");
        std::fs::create_dir_all(&folder).expect("the folder can be made");
        std::fs::write(folder.join(format!("{name}.png")), picture).expect("the picture can be written");
        data.to_owned()
    }
}

impl Drop for Chrome {
    fn drop(&mut self) {
        let _ = self.commands.write_all(b"{\"id\":0,\"method\":\"Browser.close\"}\0");
        let began = Instant::now();
        while began.elapsed() < Duration::from_secs(3) && matches!(self.process.try_wait(), Ok(None)) {
            thread::sleep(Duration::from_millis(20));
        }
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Where to press an element, once the page has been painted with it in view.
fn point_of(element: &str) -> String {
    format!(
        "(async () => {{ const e = {element}; e.scrollIntoView({{block: 'center', behavior: 'instant'}}); \
         const painted = new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))); \
         await Promise.race([painted, new Promise(done => setTimeout(done, 500))]); \
         const r = e.getClientRects()[0]; return [r.left + Math.min(r.width / 2, 30), r.top + r.height / 2]; }})()"
    )
}

fn read_point(point: &Value) -> (f64, f64) {
    let number = |index: usize| point[index].as_f64().expect("a number");
    (number(0), number(1))
}
