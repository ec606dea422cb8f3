// What the chip's boot ROM does with a UF2 and at a start (RP2040 data sheet, 2.8): rp2040js has no ROM.

const BLOCK = 512;
const PAGE = 256;
const FLASH = 0x10000000;
const RAM = 0x20000000;
const SECOND_STAGE = 0x20041f00;
const STACK = 0x20042000;
const BOOT2_BYTES = 252;
const FAMILY_RP2040 = 0xe48bff56;
const ROM_TABLE = 0x100;
const ROM_FIND = 0x200;
const ROM_DRIVE = 0x240;
/** With what number the core stops where the chip would become a drive. */
export const SHOWS_DRIVE = 0x0b;
const STEPS = 200; // that a second stage may take

/** Returns the flash as it is after that file was dragged onto the chip's drive; throws where the ROM would not take it. */
export function flashOf(uf2) {
  const view = new DataView(uf2.buffer, uf2.byteOffset, uf2.length);
  const count = uf2.length / BLOCK;
  const flash = new Uint8Array(count * PAGE).fill(0xff);
  for (let number = 0; number < count; number++) {
    const word = (index) => view.getUint32(number * BLOCK + 4 * index, true);
    const magic = word(0) === 0x0a324655 && word(1) === 0x9e5d5157 && word(127) === 0x0ab16f30;
    if (!magic || word(7) !== FAMILY_RP2040 || word(4) !== PAGE || word(5) !== number || word(6) !== count) {
      throw new Error(`block ${number} of the firmware is no UF2 block for an RP2040`);
    }
    flash.set(uf2.subarray(number * BLOCK + 32, number * BLOCK + 32 + PAGE), word(3) - FLASH);
  }
  const second = new DataView(flash.buffer, 0, PAGE);
  if (crc(flash.subarray(0, BOOT2_BYTES)) !== second.getUint32(BOOT2_BYTES, true)) {
    throw new Error("the second stage's CRC is wrong, so the chip would show its drive again");
  }
  return flash;
}

/**
 * Lays the ROM's functions out as far as the firmware asks for them: where the table is, what looks in it, and the one
 * that becomes a drive, which stops the core with `SHOWS_DRIVE`.
 */
export function layRom(chip) {
  const halves = new Uint16Array(chip.bootrom.buffer, chip.bootrom.byteOffset);
  const lay = (at, words) => halves.set(words, at / 2);
  lay(0x14, [ROM_TABLE, 0, ROM_FIND | 1]);
  lay(ROM_TABLE, [0x4255, ROM_DRIVE | 1, 0, 0]); // "UB"
  // while (code = table[0]) { if (code === wanted) return table[1]; table += 2; } return 0;
  lay(ROM_FIND, [0x8802, 0x2a00, 0xd005, 0x428a, 0xd001, 0x3004, 0xe7f8, 0x8840, 0x4770, 0x2000, 0x4770]);
  lay(ROM_DRIVE, [0xbe00 | SHOWS_DRIVE]);
}

function crc(bytes) {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte << 24;
    for (let bit = 0; bit < 8; bit++) {
      sum = sum & 0x80000000 ? (sum << 1) ^ 0x04c11db7 : sum << 1;
    }
  }
  return sum >>> 0;
}

/** Runs the second stage from the flash in `chip`; returns a sentence where it leaves the flash unreadable, else null. */
export function runSecondStage(chip) {
  const { core } = chip;
  chip.sram.set(chip.flash.subarray(0, PAGE), SECOND_STAGE - RAM);
  core.VTOR = 0;
  core.SP = STACK;
  core.PC = SECOND_STAGE;
  for (let step = 0; step < STEPS; step++) {
    core.executeInstruction();
    if (core.PC >>> 24 === FLASH >>> 24) {
      return readsPlainly(chip) ? null : "the second stage leaves the flash unreadable";
    }
  }
  return "the second stage does not come to an end";
}

/** Whether the flash's interface sends the plain read, 03h with 24 bits of address, and takes words of 32 bits. */
function readsPlainly(chip) {
  const ssi = (offset) => chip.readUint32(0x18000000 + offset);
  const frames = ((ssi(0) >>> 8) & 3) === 3 && ((ssi(0) >>> 16) & 31) === 31;
  const command = ssi(0xf4);
  const plain = command >>> 24 === 0x03 && ((command >>> 2) & 15) === 6 && ((command >>> 8) & 3) === 2 && (command & 3) === 0;
  return frames && plain && (ssi(8) & 1) === 1 && ssi(0x14) >= 2;
}
