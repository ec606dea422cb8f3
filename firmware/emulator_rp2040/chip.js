// The emulated RP2040 with halls at its ADC and a computer at its USB. Where rp2040js does otherwise than the chip, and the
// firmware would not notice, it is mended or watched here. Knows no sockets.

import { RP2040 } from "rp2040js";

import { flashOf, layRom, runSecondStage, SHOWS_DRIVE } from "./boot_rom.js";
import { answerCommands } from "./flash.js";
import { GROUP_INPUTS, MUX_INPUTS, MUXES } from "./halls.js";
import { Pixels } from "./pixels.js";
import { UsbHost } from "./usb_host.js";

const PIN_ADDRESS = 2;
const ADDRESS_PINS = [0, 1, 2, 3].map((bit) => PIN_ADDRESS + bit);
const PIN_ENABLE = 6; // of the first group, and the next ones
const PIN_ANALOG = 26; // of the first mux of a group, and the next ones
const PIN_PIXELS = 16;
const PIN_LAMP = 25;
const SAMPLE_NS = 2000;
const ROUND_SHIFT = 16;
const ROUND_BITS = 0x1f;
const SUPPLY_CHANNEL = MUXES; // half of what the CC pin has
const TOP_COUNT = 4095;
const SUPPLY_MV = 3300;
const SETTLE_NS = 500; // of a 74HC4067 at 3.3 V with the ADC behind it
const SIO = 0xd0000000;
const JUNK = 0xc5; // what RAM holds as the power comes on

const TIMER = 0x40054;
const FIRST_ALARM = 0x10;
const TIMER_LOW = 0x28;
const ROUNDING_NS = 0.01;
const WATCHDOG = 0x40058;
const CHIP_RESET = 0x40064;
const PSM = 0x40010;
const HAD_POWER_ON = 1 << 8;
const HAD_RUN_PIN = 1 << 16;
const BY_TIMER = 1;
const REBOOT_NS = 1e9; // that the ROM waits after the last block
const ALL_BUT_OSCILLATORS = 0x1fffc;

export class Chip {
  /** The first thing that would not work on a real board, in a sentence. */
  fault = null;
  /** The ADC never finishes, as a fault in silicon would have it; a reset ends it. */
  hanging = false;

  /** What the cable's CC pin has, in mV: at first that of a port with 0.5 A. */
  ccMv = 410;
  /** The number that the maker gave the flash, as bytes; null where it knows none. */
  flashNumber = [0xe6, 0x60, 0x58, 0x38, 0x83, 0x3f, 0x5a, 0x2c];

  #flash;
  #halls;
  #chip = null;
  #host = null;
  #bornNs = 0; // of the running chip, in the time of the world
  #cause = HAD_POWER_ON;
  #bitten = false;
  #calledRom = false;
  #drive = false; // it shows its drive: the firmware does not run
  #rebootNs = Infinity; // with the firmware that was dragged onto the drive
  #pixels = new Pixels((sentence) => this.#fail(sentence));
  #enablePins; // one for each group, where there are more than one
  #setNs = 0; // when the muxes were set to another input
  #input = null; // that the first mux shows, as a bit; null since the pins changed

  /** Powers a chip on with the firmware of that UF2; throws where its boot ROM would not take it. */
  constructor(uf2, halls) {
    this.#flash = flashOf(uf2);
    this.#halls = halls;
    this.#enablePins = halls.groups > 1 ? Array.from({ length: halls.groups }, (_, group) => PIN_ENABLE + group) : [];
    this.power(true);
  }

  get nowNs() {
    return this.#bornNs + (this.#chip ? this.#chip.clock.nanos : 0);
  }

  get nowUs() {
    return Math.floor(this.nowNs / 1000);
  }

  get product() {
    return this.#host ? this.#host.product : "";
  }

  /** The serial number that the device says of itself. */
  get serial() {
    return this.#host ? this.#host.serial : "";
  }

  power(on) {
    this.#drive = false;
    this.#rebootNs = Infinity;
    if (on && !this.#chip) {
      this.#cause = HAD_POWER_ON;
      this.#start(0);
    } else if (!on && this.#chip) {
      this.#bornNs = this.nowNs;
      this.#chip = this.#host = null;
    }
  }

  /** The reset pin. */
  restart() {
    if (this.#chip) {
      this.#cause = HAD_RUN_PIN;
      this.#start(0);
    }
  }

  /** Runs until that time of the world or a fault. */
  runUntil(ns) {
    while (!this.fault && this.nowNs < ns) {
      if (this.#chip) {
        this.#run(ns - this.#bornNs);
      } else {
        this.#bornNs = Math.min(ns, this.#rebootNs);
      }
      if (this.#calledRom) {
        this.#showDrive();
      } else if (this.#bitten || this.nowNs >= this.#rebootNs) {
        this.#drive = false;
        this.#rebootNs = Infinity;
        this.#start(BY_TIMER);
      }
    }
  }

  #showDrive() {
    this.#bornNs = this.nowNs;
    this.#drive = true;
    this.#calledRom = false;
    this.#chip = this.#host = null;
  }

  /** Whether it shows its drive. */
  get showsDrive() {
    return this.#drive;
  }

  /** That UF2 is written to the drive, after which the chip starts with it; throws where the ROM would not take it. */
  drag(uf2) {
    this.#flash = flashOf(uf2);
    this.#rebootNs = this.nowNs + REBOOT_NS;
  }

  #run(ns) {
    const chip = this.#chip;
    const { core, clock } = chip;
    while (clock.nanosCounter < ns && !this.fault && !this.#bitten && !this.#calledRom) {
      if (core.waiting) {
        clock.tick(Math.min(clock.nanosToNextAlarm, ns - clock.nanosCounter));
        continue;
      }
      const thenNs = clock.nanosCounter + (core.executeInstruction() * 1e9) / chip.clkSys;
      if (clock.nextAlarm && clock.nextAlarm.nanos <= thenNs) {
        clock.tick(thenNs - clock.nanosCounter);
      } else {
        clock.nanosCounter = thenNs; // as a tick does where nothing is due, and most of the time nothing is
      }
    }
  }

  /** Bytes for the serial line; they arrive at its speed. */
  receive(bytes) {
    this.#host?.send(bytes);
  }

  /** A program at the computer opens the line, or lets go of it. */
  line(open) {
    this.#host?.line(open);
  }

  /** The plug at the computer comes out or goes in, while the board has a supply of its own. */
  host(there) {
    this.#host?.plug(there);
  }

  /** A program asks for the drive: it opens the line at 1200 baud and lets go of it. */
  touch() {
    this.#host?.touch();
  }

  /** Takes the bytes that the computer has got. */
  sent() {
    return this.#host ? this.#host.take() : [];
  }

  /** Bytes of RAM in a row that were never written since the chip started: what the stack has left. */
  get untouched() {
    let longest = 0;
    let run = 0;
    for (const byte of this.#chip?.sram ?? []) {
      run = byte === JUNK ? run + 1 : 0;
      longest = Math.max(longest, run);
    }
    return longest;
  }

  get lamp() {
    const pin = this.#chip?.gpio[PIN_LAMP];
    return !!pin && pin.outputEnable && pin.outputValue;
  }

  /** The first machine of PIO: its program from wrap to wrap, and its divider. */
  get machine() {
    const [pio] = this.#chip?.pio ?? [];
    const [machine] = pio?.machines ?? [];
    return pio ? { program: [...pio.instructions.slice(machine.wrapBottom, machine.wrapTop + 1)], divider: machine.clockDivInt } : null;
  }

  /** Red, green, blue of each pixel as they shine, and how many frames were shown so far. */
  get pixels() {
    this.#pixels.rest(this.nowNs);
    return { shown: this.#pixels.shown, frames: this.#pixels.frames };
  }

  #fail(sentence) {
    this.fault ??= sentence;
  }

  #start(reason) {
    this.#bornNs = this.nowNs;
    this.#bitten = this.hanging = false;
    this.#input = null;
    const chip = new RP2040();
    chip.logger = this.#listener();
    chip.sram.fill(JUNK);
    chip.flash.set(this.#flash);
    this.#chip = chip;
    layRom(chip);
    chip.onBreak = (code) => {
      this.#calledRom = code === SHOWS_DRIVE;
      if (!this.#calledRom) {
        this.#fail("the firmware stops at a breakpoint");
      }
    };
    this.#mendReset(chip, reason);
    this.#mendTimer(chip);
    this.#mendAdc(chip);
    this.#mendPio(chip);
    this.#watchDma(chip);
    answerCommands(chip, this.flashNumber, (sentence) => this.#fail(sentence));
    this.#host = new UsbHost(chip, (sentence) => this.#fail(sentence));
    for (const pin of [...ADDRESS_PINS, ...this.#enablePins]) {
      chip.gpio[pin].addListener(() => this.#muxesSet(chip));
    }
    const wire = chip.gpio[PIN_PIXELS];
    wire.addListener(() => this.#pixels.level(wire.outputEnable && wire.outputValue, this.nowNs));
    const unreadable = runSecondStage(chip);
    if (unreadable) {
      this.#fail(unreadable);
    }
  }

  /** What rp2040js does not know of the chip, it warns of: the firmware would get a made-up answer. */
  #listener() {
    const fail = (part, text) => this.#fail(`rp2040js, ${part}: ${text}`);
    return { debug() {}, info() {}, warn: fail, error: fail };
  }

  #mendReset(chip, reason) {
    const watchdog = chip.peripherals[WATCHDOG];
    watchdog.reason = reason;
    watchdog.onWatchdogTrigger = () => {
      this.#bitten = true;
      watchdog.alarm.enable = false; // it would come again at once, for ever
      if ((chip.peripherals[PSM].wdsel & ALL_BUT_OSCILLATORS) !== ALL_BUT_OSCILLATORS) {
        this.#fail("the watchdog resets a part of the chip only: set WDSEL");
      }
    };
    const cause = this.#cause;
    chip.peripherals[CHIP_RESET] = {
      readUint32: (offset) => (offset === 8 ? cause : 0),
      writeUint32Atomic: () => this.#fail("the firmware writes to the chip's voltage regulator"),
    };
  }

  /** rp2040js rounds the time to an alarm down, so that it comes up to a microsecond early. */
  #mendTimer(chip) {
    const timer = chip.peripherals[TIMER];
    const now = () => chip.clock.nanos + ROUNDING_NS;
    const read = timer.readUint32.bind(timer);
    const write = timer.writeUint32.bind(timer);
    timer.readUint32 = (offset) => (offset === TIMER_LOW ? Math.floor(now() / 1000) >>> 0 : read(offset));
    timer.writeUint32 = (offset, value) => {
      write(offset, value);
      const at = (offset - FIRST_ALARM) / 4;
      if (at >= 0 && at < timer.alarms.length) {
        const wholeUs = (value - Math.floor(now() / 1000)) >>> 0;
        timer.alarms[at].clockAlarm.schedule(wholeUs * 1000 - (now() % 1000) + ROUNDING_NS);
      }
    };
  }

  /** rp2040js masks the next channel of a round with the shift, so that it stays 0; and its sensors have no muxes. */
  #mendAdc(chip) {
    const { adc } = chip;
    Object.defineProperty(adc, "activeChannel", {
      get: () => (adc.cs >> 12) & 7,
      set: (channel) => {
        adc.cs = (adc.cs & ~(7 << 12)) | (channel << 12);
      },
    });
    adc.onADCRead = (channel) => {
      if (this.hanging) {
        return;
      }
      adc.currentChannel = channel;
      adc.channelValues[channel] = this.#sample(chip, channel);
      adc.sampleAlarm.schedule(SAMPLE_NS);
    };
  }

  /**
   * rp2040js runs machines of PIO by timers of the computer, without their divider and their delays. Here each takes its
   * steps by the chip's clock, and rests while it waits for its FIFO.
   */
  #mendPio(chip) {
    for (const pio of chip.pio) {
      const steppers = pio.machines.map((machine) => stepper(chip, pio, machine));
      pio.run = () => {
        pio.stopped = true; // so that a machine that is let go later comes here, too
        steppers.forEach((begin) => begin());
      };
    }
  }

  #sample(chip, mux) {
    if (mux === SUPPLY_CHANNEL) {
      if ((chip.adc.cs >> ROUND_SHIFT) & ROUND_BITS) {
        this.#fail("a round of the ADC reads channel 3, where no mux is");
      }
      return Math.min(TOP_COUNT, Math.round((this.ccMv / 2 / SUPPLY_MV) * (TOP_COUNT + 1)));
    }
    if (mux >= MUXES) {
      this.#fail(`the ADC reads channel ${mux}, where nothing is`);
    }
    if (chip.clock.nanos - this.#setNs < SETTLE_NS) {
      this.#fail("the ADC reads less than 0.5 us after the muxes were set, before they have settled");
    }
    this.#input ??= this.#addressed(chip);
    const count = this.#halls.count(this.#input + mux * MUX_INPUTS, Math.floor((this.#bornNs + chip.clock.nanos) / 1000));
    if (count === null && !chip.gpio[PIN_ANALOG + mux].pulldownEnabled) {
      this.#fail("the ADC reads the line of a missing tile, which nothing holds at any level");
    }
    return count ?? 0;
  }

  #muxesSet(chip) {
    this.#setNs = chip.clock.nanos;
    this.#input = null;
    if (this.#answering(chip).length > 1) {
      this.#fail("two multiplexers of one line are on at once");
    }
  }

  /** The groups whose multiplexers are on. A single one always is. */
  #answering(chip) {
    const isLow = (pin) => chip.gpio[pin].outputEnable && !chip.gpio[pin].outputValue;
    return this.#enablePins.length ? [...this.#enablePins.keys()].filter((group) => isLow(this.#enablePins[group])) : [0];
  }

  #addressed(chip) {
    const pins = ADDRESS_PINS.map((pin) => chip.gpio[pin]);
    if (!pins.every((pin) => pin.outputEnable)) {
      this.#fail("the muxes' address pins must be outputs before the ADC reads");
    }
    const [group] = this.#answering(chip);
    if (group === undefined) {
      this.#fail("the ADC reads while no multiplexer is on");
    }
    return pins.reduce((sum, pin, bit) => sum | (pin.outputValue ? 1 << bit : 0), (group ?? 0) * GROUP_INPUTS);
  }

  /** On the chip the DMA does not reach the core's own registers; here it would. */
  #watchDma(chip) {
    const { dma } = chip;
    const write = dma.writeUint32.bind(dma);
    dma.writeUint32 = (offset, value) => {
      write(offset, value);
      if (dma.channels.some((channel) => channel.readAddr >>> 0 >= SIO || channel.writeAddr >>> 0 >= SIO)) {
        this.#fail("the DMA is given an address from 0xd0000000 on, which it does not reach on the chip");
      }
    };
  }
}

/** Has a machine of PIO take its steps by the chip's clock; returns what begins that, where the machine is let go. */
function stepper(chip, pio, machine) {
  let running = false;
  const schedule = (cycles) =>
    alarm.schedule((cycles * 1e9 * (machine.clockDivInt + machine.clockDivFrac / 256)) / chip.clkSys);
  const advance = (act) => {
    const before = machine.cycles;
    act();
    pio.checkChangedPins();
    if (!machine.waiting) {
      schedule(Math.max(1, machine.cycles - before));
    }
  };
  const alarm = chip.clock.createAlarm(() => {
    running = machine.enabled;
    if (running) {
      advance(() => machine.step());
    }
  });
  const write = machine.writeFIFO.bind(machine);
  machine.writeFIFO = (value) => (machine.waiting ? advance(() => write(value)) : write(value));
  return () => {
    if (machine.enabled && !running) {
      running = true;
      schedule(1);
    }
  };
}
