"""A browser by the protocol that chromedriver speaks (W3C WebDriver), with Python's own library alone."""
import base64
import contextlib
import json
import os
import re
import signal
import subprocess
import time
import urllib.error
import urllib.request

HANG = 1200  # seconds: only ends what hangs
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # the key under which the protocol hands out elements


class Browser:
    def __init__(self, driver, chromium, folder):
        self.process = subprocess.Popen([driver, "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                                        start_new_session=True)
        port = None
        while port is None:
            line = self.process.stdout.readline()
            if not line:
                raise RuntimeError(f"{driver} ended before it said its port")
            port = re.search(r"started successfully on port (\d+)", line)
        self.base = f"http://127.0.0.1:{port[1]}"
        # A sandbox needs rights that containers do not give; what runs here is this project's own page.
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1400,1100",
                     f"--user-data-dir={folder}"]
        wanted = {"browserName": "chrome", "goog:chromeOptions": {"binary": chromium, "args": arguments}}
        self.session = self.call("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})["sessionId"]

    def call(self, method, path, body=None):
        request = urllib.request.Request(self.base + path, method=method, headers={"Content-Type": "application/json"},
                                         data=None if body is None else json.dumps(body).encode())
        try:
            with urllib.request.urlopen(request, timeout=HANG) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(f"{path}: {json.load(error)['value']['message']}") from None

    def ask(self, path, body=None):
        return self.call("POST", f"/session/{self.session}{path}", body or {})

    def open(self, address):
        self.ask("/url", {"url": "about:blank"})  # so that an address with another "#" alone is opened anew
        self.ask("/url", {"url": address})

    def run(self, script, *arguments):
        """What a script returns; it may be the body of an async function."""
        return self.ask("/execute/sync", {"script": f"return (async () => {{ {script} }})()", "args": list(arguments)})

    def find(self, selector):
        return self.ask("/element", {"using": "css selector", "value": selector})[ELEMENT]

    def type(self, selector, text):
        self.ask(f"/element/{self.find(selector)}/value", {"text": text})

    def click(self, selector):
        self.ask(f"/element/{self.find(selector)}/click")

    def press(self, key):
        """Presses a key wherever the focus is."""
        keys = [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]
        self.ask("/actions", {"actions": [{"type": "key", "id": "keys", "actions": keys}]})

    def point(self, element):
        """Moves the pointer to the middle of an element."""
        move = {"type": "pointerMove", "duration": 0, "x": 0, "y": 0, "origin": {ELEMENT: element}}
        self.ask("/actions", {"actions": [{"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": [move]}]})

    def resize(self, width, height):
        self.ask("/goog/cdp/execute", {"cmd": "Emulation.setDeviceMetricsOverride",
                                       "params": {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}})

    def colours(self, scheme):
        self.ask("/goog/cdp/execute", {"cmd": "Emulation.setEmulatedMedia",
                                       "params": {"features": [{"name": "prefers-color-scheme", "value": scheme}]}})

    def picture(self, file):
        file.write_bytes(base64.b64decode(self.call("GET", f"/session/{self.session}/screenshot")))

    def until(self, script, *arguments, seconds=HANG):
        """Waits until a script returns something that is true, and returns that."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            found = self.run(script, *arguments)
            if found:
                return found
            time.sleep(0.05)
        raise RuntimeError(f"waited {seconds} s in vain for: {script}")

    def close(self):
        with contextlib.suppress(RuntimeError, OSError):
            self.call("DELETE", f"/session/{self.session}")
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGTERM)
        self.process.wait()
