// A computer at the other end of the USB: it enumerates the device, opens its serial line, and moves bytes in frames of
// 1 ms as a host does. rp2040js answers at once by itself and has no frames, so its side of the controller is replaced.

const FRAME_NS = 1e6;
const PACKET = 64;
const MOST_IN_A_FRAME = 13; // packets that other devices leave room for
const PACKET_NS = 13e3; // of a packet without data: token, handshake and gaps
const BYTE_NS = 8e3 / 12;
const RESET_FRAMES = 10;
const SETTLE_FRAMES = 2; // between two requests

const BUFFER_CONTROL = 0x80;
const BUFFER_OF_0 = 0x100;
const FULL = 1 << 15;
const DATA1 = 1 << 13;
const STALL = 1 << 11;
const AVAILABLE = 1 << 10;
const SIZE = 0x3ff;
const PULL_UP = 1 << 16;
const SAW_SETUP = 1 << 17;
const SAW_RESET = 1 << 19;

const DEVICE = 1;
const CONFIGURATION = 2;
const STRING = 3;
const ENGLISH = 0x0409;
const SERIAL = 16; // where a device's descriptor has the number of that text
const QUALIFIER = 6; // of a faster device than this one

const setup = (kind, request, value, index, length) =>
  Uint8Array.of(kind, request, value & 255, value >> 8, index & 255, index >> 8, length & 255, length >> 8);
const textOf = (text) => new TextDecoder("utf-16le").decode(Uint8Array.from(text.slice(2)));
const describe = (type, number, length, language = 0) => setup(0x80, 6, (type << 8) | number, language, length);

const lineCoding = (baud) => ({
  bytes: setup(0x21, 0x20, 0, 0, 7),
  data: [baud & 255, (baud >> 8) & 255, (baud >> 16) & 255, 0, 0, 0, 8],
  then: () => {},
});

export class UsbHost {
  /** What the device says of itself: its product's name, its serial number, and the numbers of the endpoints. */
  product = "";
  serial = "";
  endpoints = { in: 0, out: 0 };

  #usb;
  #ram;
  #fail;
  #received = [];
  #toSend = [];
  #alarm;
  #state = "away";
  #wait = 0;
  #requests = [];
  #request = null;
  #ended = null;
  #toggles = { in: 0, out: 0 };
  #frameNs = 0;
  #packets = 0;
  #arriving = null;
  #plugged = true;

  /** `fail` is told what no host would bear. */
  constructor(chip, fail) {
    this.#usb = chip.usbCtrl;
    this.#ram = chip.usbDPRAMView;
    this.#fail = fail;
    this.#usb.DPRAMUpdated = () => {}; // buffers are looked at when it is their turn
    this.#usb.onResetReceived = () => {
      this.#state = "asking";
      this.#askAll();
      this.#nextRequest();
    };
    this.#alarm = chip.clock.createAlarm(() => this.#turn(chip.clock.nanos));
    this.#alarm.schedule(FRAME_NS);
  }

  /** The plug at the computer comes out or goes in; a board with a supply of its own runs on meanwhile. */
  plug(on) {
    this.#plugged = on;
    this.#state = "away";
    this.#requests = [];
    this.#request = this.#ended = this.#arriving = null;
    this.#wait = 0;
    this.#toggles = { in: 0, out: 0 };
    this.#toSend = [];
  }

  /** A program opens the line, or lets go of it. */
  line(open) {
    this.#ask(this.#lineState(open));
  }

  /** A program opens the line at 1200 baud and lets go of it. */
  touch() {
    this.#ask(lineCoding(1200), this.#lineState(true), this.#lineState(false));
  }

  #ask(...requests) {
    this.#requests.push(...requests);
    if (this.#state !== "asking" && !this.#request && !this.#wait) {
      this.#nextRequest();
    }
  }

  /** Takes what has arrived. */
  take() {
    return this.#received.splice(0);
  }

  /** Bytes for the device. */
  send(bytes) {
    this.#toSend.push(...bytes);
  }

  #turn(nowNs) {
    if (this.#arriving) {
      this.#received.push(...this.#arriving);
      this.#arriving = null;
    }
    if (nowNs >= this.#frameNs) {
      this.#frameNs += FRAME_NS;
      this.#packets = 0;
      if (this.#plugged) {
        this.#usb.sofFrameNumber++;
        this.#beginFrame();
      }
    }
    const bytes = this.#packets < MOST_IN_A_FRAME ? this.#transact() : null;
    this.#packets++;
    const next = bytes === null ? this.#frameNs : nowNs + PACKET_NS + bytes * BYTE_NS;
    this.#alarm.schedule(Math.min(next, this.#frameNs) - nowNs);
  }

  #beginFrame() {
    if (this.#state === "away" && this.#usb.sieCtrl & PULL_UP) {
      this.#state = "resetting";
      this.#wait = RESET_FRAMES;
    } else if (this.#wait && --this.#wait === 0) {
      if (this.#state === "resetting") {
        this.#usb.sieStatus |= SAW_RESET;
        this.#usb.sieStatusUpdated();
      } else {
        this.#ended.then(this.#ended.answer);
        this.#nextRequest();
      }
    }
  }

  /** One packet; returns its bytes, null where the device has nothing to say and nothing is to be said to it. */
  #transact() {
    if (this.#request) {
      return this.#control();
    }
    if (this.#state !== "open") {
      return null;
    }
    return this.#bulkIn() ?? this.#bulkOut();
  }

  // ---- the serial line

  #bulkIn() {
    const control = this.#look(this.endpoints.in, false);
    if (!(control & AVAILABLE)) {
      return null;
    }
    this.#checkToggle(control, "in", this.#toggles.in);
    this.#toggles.in ^= 1;
    const base = this.#ram.getUint32(8 * this.endpoints.in, true) & 0xffc0;
    const data = this.#bytes(base, control & SIZE);
    this.#done(this.endpoints.in, false, control & ~(AVAILABLE | FULL));
    this.#arriving = data;
    return data.length;
  }

  #bulkOut() {
    const control = this.#look(this.endpoints.out, true);
    if (!this.#toSend.length || !(control & AVAILABLE)) {
      return null;
    }
    this.#checkToggle(control, "out", this.#toggles.out);
    this.#toggles.out ^= 1;
    const base = this.#ram.getUint32(8 * this.endpoints.out + 4, true) & 0xffc0;
    const data = this.#toSend.splice(0, PACKET);
    data.forEach((byte, at) => this.#ram.setUint8(base + at, byte));
    this.#done(this.endpoints.out, true, (control & ~(AVAILABLE | SIZE)) | FULL | data.length);
    return data.length;
  }

  // ---- requests

  #askAll() {
    const ask = (bytes, then = () => {}, data = null) => this.#requests.push({ bytes, then, data });
    ask(describe(DEVICE, 0, 18), (device) => this.#readDevice(device));
    ask(setup(0x00, 5, 1, 0, 0), () => this.#expect(this.#usb.addrEndp === 1, "does not take its address"));
    ask(describe(CONFIGURATION, 0, 9), (head) => {
      const whole = head[2] | (head[3] << 8);
      this.#requests.unshift({ bytes: describe(CONFIGURATION, 0, whole), data: null, then: (all) => this.#readConfiguration(all, whole) });
    });
    ask(describe(STRING, 0, 255), (text) => this.#expect(text[2] === 0x09 && text[3] === 0x04, "knows no English"));
    ask(describe(STRING, 2, 255, ENGLISH), (text) => {
      this.product = textOf(text);
    });
    this.#requests.push({ bytes: describe(QUALIFIER, 0, 10), refused: true, data: null, then: () => {} });
    this.#requests.push({ bytes: setup(0xc0, 6, 0x100, 0, 18), refused: true, data: null, then: () => {} }); // a maker's own
    ask(setup(0x00, 9, 1, 0, 0));
    const coding = lineCoding(500_000);
    this.#requests.push(coding);
    ask(setup(0xa1, 0x21, 0, 0, 7), (told) => this.#expect(`${told}` === `${coding.data}`, "forgets the line's speed"));
    this.#requests.push(this.#lineState(true));
  }

  #lineState(open) {
    return { bytes: setup(0x21, 0x22, open ? 3 : 0, 0, 0), data: null, then: () => (this.#state = open ? "open" : "closed") };
  }

  #readDevice(device) {
    this.#expect(device.length === 18 && device[0] === 18 && device[1] === DEVICE, "has no descriptor of a device");
    this.#expect(device[7] === PACKET, "has no packets of 64 bytes at endpoint 0");
    if (device[SERIAL]) {
      const bytes = describe(STRING, device[SERIAL], 255, ENGLISH);
      this.#requests.unshift({ bytes, data: null, then: (text) => (this.serial = textOf(text)) });
    }
  }

  #readConfiguration(all, size) {
    this.#expect(all.length === size, "ends its configuration early");
    let kind = 0;
    let at = 0;
    for (; at < all.length && all[at] >= 2; at += all[at]) {
      if (all[at + 1] === 4) {
        kind = all[at + 5];
      }
      if (all[at + 1] === 5 && kind === 10) {
        this.endpoints[all[at + 2] & 0x80 ? "in" : "out"] = all[at + 2] & 15;
      }
    }
    this.#expect(at === size && this.endpoints.in && this.endpoints.out, "has no two endpoints for data");
  }

  #nextRequest() {
    const next = this.#requests.shift();
    this.#request = next ? { ...next, stage: "setup", answer: [], toggle: 1, length: next.bytes[6] | (next.bytes[7] << 8) } : null;
  }

  /** The device does what was asked when it sees the end, and a host takes its time. */
  #end(request) {
    this.#request = null;
    this.#ended = request;
    this.#wait = SETTLE_FRAMES;
  }

  #control() {
    const request = this.#request;
    const inward = request.bytes[0] & 0x80;
    if (request.stage === "setup") {
      request.bytes.forEach((byte, at) => this.#ram.setUint8(at, byte));
      this.#usb.sieStatus |= SAW_SETUP;
      this.#usb.sieStatusUpdated();
      request.stage = inward && request.length ? "answer" : request.data ? "data" : "status";
      return 8;
    }
    const fromDevice = request.stage === "answer" || (request.stage === "status" && !(inward && request.length));
    const control = this.#look(0, !fromDevice);
    if (control & STALL) {
      this.#expect(request.refused, `refuses request ${request.bytes[1]}`);
      this.#end(request);
      return 0;
    }
    if (!(control & AVAILABLE)) {
      return null;
    }
    this.#expect(!request.refused, `answers request ${request.bytes[1]}, which it cannot know`);
    this.#checkToggle(control, "of endpoint 0", request.stage === "status" ? 1 : request.toggle);
    request.toggle ^= 1;
    return fromDevice ? this.#controlIn(request, control) : this.#controlOut(request, control);
  }

  #controlIn(request, control) {
    const size = control & SIZE;
    request.answer.push(...this.#bytes(BUFFER_OF_0, size));
    this.#done(0, false, control & ~(AVAILABLE | FULL));
    if (request.stage === "status") {
      this.#expect(size === 0, "acknowledges with data");
      this.#end(request);
    } else if (size < PACKET || request.answer.length >= request.length) {
      request.stage = "status";
    }
    return size;
  }

  #controlOut(request, control) {
    const data = request.stage === "data" ? request.data : [];
    data.forEach((byte, at) => this.#ram.setUint8(BUFFER_OF_0 + at, byte));
    this.#done(0, true, (control & ~(AVAILABLE | SIZE)) | FULL | data.length);
    if (request.stage === "status") {
      this.#end(request);
    } else {
      request.stage = "status";
    }
    return data.length;
  }

  // ---- the controller's buffers

  #look(endpoint, out) {
    return this.#ram.getUint32(BUFFER_CONTROL + 8 * endpoint + (out ? 4 : 0), true);
  }

  #done(endpoint, out, control) {
    this.#ram.setUint32(BUFFER_CONTROL + 8 * endpoint + (out ? 4 : 0), control, true);
    this.#usb.indicateBufferReady(endpoint, out);
  }

  #bytes(at, size) {
    return Array.from({ length: size }, (_, index) => this.#ram.getUint8(at + index));
  }

  #checkToggle(control, where, expected) {
    this.#expect(!!(control & DATA1) === !!expected, `sends the same packet ${where} twice, by its toggle`);
  }

  #expect(holds, what) {
    if (!holds) {
      this.#fail(`USB: the device ${what}`);
    }
  }
}
