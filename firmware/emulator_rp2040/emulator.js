#!/usr/bin/env node
// The sensor board with an RP2040, commanded over a socket, in lock-step: time passes only by `run`.
//
//   emulator.js UF2 SITES CONTROL-FD
//
// CONTROL-FD is an open stream socket, inherited. One line a command, one line a reply: `ok ...` or `error SENTENCE`.
// The emulator ends with its client: when the socket closes. The commands are those of firmware/README.md.

import { readFileSync } from "node:fs";
import { Socket } from "node:net";

import { Halls } from "./halls.js";

const RUN_MAX_US = 60_000_000;

class Refused extends Error {}

function isOn(word) {
  if (word !== "on" && word !== "off") {
    throw new Refused("say on or off");
  }
  return word === "on";
}

function number(word, what) {
  const value = Number(word);
  if (word === undefined || word === "" || !Number.isFinite(value)) {
    throw new Refused(`say ${what} as a number`);
  }
  return value;
}

class Emulator {
  #chip;
  #halls;
  #targetNs = 0; // what one run overshoots, the next one does not run

  constructor(Chip, firmware, sites) {
    this.#halls = new Halls(sites);
    this.#chip = new Chip(readFileSync(firmware), this.#halls);
  }

  /** Obeys a line; returns what is said after `ok`. Throws where it is refused. */
  obey(line) {
    const [name, ...words] = line.trim().split(" ");
    const command = this.#commands[name];
    if (!command) {
      throw new Refused("there is no such command");
    }
    if (this.#chip.fault) {
      throw new Refused(this.#chip.fault);
    }
    const said = command(...words) ?? "";
    if (this.#chip.fault) {
      throw new Refused(this.#chip.fault);
    }
    return said;
  }

  #commands = {
    set: (site, word) => this.#halls.change(site, isOn(word), this.#chip.nowUs),
    bounce: (site, word, count, us) =>
      this.#halls.change(site, isOn(word), this.#chip.nowUs, number(count, "how often"), number(us, "how long")),
    stick: (site, word) => {
      this.#halls.at(site).stuck = word === "free" ? null : isOn(word);
    },
    field: (site, millitesla) => {
      this.#halls.at(site).field = number(millitesla, "the magnet's field in mT");
    },
    iron: (site, millitesla) => {
      this.#halls.at(site).iron = number(millitesla, "what the iron adds, in mT,");
    },
    tile: (tile, word) => this.#halls.plug(number(tile, "which tile"), isOn(word)),
    warmth: (millitesla) => {
      this.#halls.warmth = number(millitesla, "what warmth adds, in mT,");
    },
    cc: (millivolts) => {
      this.#chip.ccMv = number(millivolts, "what the CC pin has, in mV,");
    },
    restart: () => this.#chip.restart(),
    hang: () => {
      this.#chip.hanging = true;
    },
    plug: () => this.#chip.power(true),
    unplug: () => this.#chip.power(false),
    host: (word) => this.#chip.host(isOn(word)),
    touch: () => this.#chip.touch(),
    drive: () => (this.#chip.showsDrive ? "on" : "off"),
    drag: (file) => {
      if (!this.#chip.showsDrive) {
        throw new Refused("the chip shows no drive");
      }
      this.#chip.drag(readFileSync(file));
    },
    line: (word) => this.#chip.line(isOn(word)),
    uart: (hex) => this.#chip.receive(Buffer.from(hex, "hex")),
    run: (us) => this.#run(number(us, "how many microseconds")),
    stats: () =>
      `now_us=${this.#chip.nowUs} untouched_ram=${this.#chip.untouched} overruns=0 lamp=${Number(this.#chip.lamp)}`,
    product: () => this.#chip.product,
    serial: () => this.#chip.serial,
    flash: (hex) => {
      this.#chip.flashNumber = hex === "none" ? null : [...Buffer.from(hex, "hex")];
    },
    machine: () => {
      const { program, divider } = this.#chip.machine ?? { program: [], divider: 0 };
      return [divider, ...program.map((word) => word.toString(16))].join(" ");
    },
    pixels: () => `${this.#chip.pixels.frames} ${Buffer.from(this.#chip.pixels.shown).toString("hex")}`,
  };

  #run(us) {
    if (us < 0 || us > RUN_MAX_US) {
      throw new Refused(`say how many microseconds, at most ${RUN_MAX_US}`);
    }
    this.#targetNs += us * 1000;
    this.#chip.runUntil(this.#targetNs);
    return `${this.#chip.nowUs} ${Buffer.from(this.#chip.sent()).toString("hex")}`;
  }
}

async function loadChip() {
  try {
    return (await import("./chip.js")).Chip;
  } catch (error) {
    if (error.code !== "ERR_MODULE_NOT_FOUND") {
      throw error;
    }
    throw new Refused("rp2040js is missing: npm ci --prefix firmware/emulator_rp2040");
  }
}

async function main([firmware, sites, descriptor]) {
  if (descriptor === undefined) {
    console.error("usage: emulator.js UF2 SITES CONTROL-FD");
    process.exit(2);
  }
  const socket = new Socket({ fd: Number(descriptor), readable: true, writable: true });
  const reply = (act) => {
    try {
      socket.write(`ok ${act()}`.trimEnd() + "\n");
      return true;
    } catch (refused) {
      socket.write(`error ${refused.message}\n`);
      return false;
    }
  };
  let emulator = null;
  const Chip = await loadChip().catch((error) => error);
  const started = reply(() => {
    if (Chip instanceof Error) {
      throw Chip;
    }
    emulator = new Emulator(Chip, firmware, sites);
    return "";
  });
  if (!started) {
    socket.end(() => process.exit(1));
    return;
  }
  let pending = "";
  socket.on("data", (data) => {
    const lines = (pending + data).split("\n");
    pending = lines.pop();
    for (const line of lines) {
      if (line === "quit") {
        socket.end("ok\n", () => process.exit(0));
        return;
      }
      reply(() => emulator.obey(line));
    }
  });
  socket.on("close", () => process.exit(0));
  socket.on("error", () => process.exit(0));
}

main(process.argv.slice(2));
