// What the chip's boot ROM does with a UF2 and at a start (RP2040 data sheet, 2.8): rp2040js has no ROM.

const BLOCK = 512;
const PAGE = 256;
const FLASH = 0x10000000;
const RAM = 0x20000000;
const SECOND_STAGE = 0x20041f00;
const STACK = 0x20042000;
const BOOT2_BYTES = 252;
const FAMILY_RP2040 = 0xe48bff56;
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
