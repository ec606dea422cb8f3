// The flash chip as it answers commands: rp2040js has its bytes alone. Of the commands it knows the one for its own number.

import { BasePeripheral } from "rp2040js";

const SSI = 0x18000;
const IO_QSPI = 0x40018;
const READ_UNIQUE_ID = 0x4b;
const HEAD_BYTES = 5;
const FIFO_FRAMES = 16;
const BYTES_BOTH_WAYS = 7 << 16; // CTRLR0: frames of 8 bits
const CTRLR0 = 0x00;
const ENABLE = 0x08;
const SELECT = 0x10;
const STATUS = 0x28;
const DATA = 0x60;
const ROOM_AND_SENT = 6;
const RECEIVED = 8;
const SELECT_CTRL = 0x0c;
const FORCED_LOW = 2;

/** Has a flash with that number, as bytes, answer `chip`; without one it is a flash that knows no number. */
export function answerCommands(chip, number, fail) {
  let selected = false;
  let select = 0;
  let taken = 0; // bytes since the flash was selected
  let command = 0;
  const received = [];

  const answer = (byte) => {
    command = taken === 0 ? byte : command;
    const at = taken++ - HEAD_BYTES;
    return command === READ_UNIQUE_ID && number ? (number[at] ?? 0xff) : 0xff;
  };
  const ssi = chip.peripherals[SSI];
  const read = ssi.readUint32.bind(ssi);
  const write = ssi.writeUint32.bind(ssi);
  const isOn = () => read(ENABLE) & 1;
  ssi.readUint32 = (offset) => {
    if (offset === STATUS) {
      return ROOM_AND_SENT | (received.length ? RECEIVED : 0);
    }
    if (offset !== DATA) {
      return offset === SELECT ? select : read(offset);
    }
    if (!received.length) {
      fail("the firmware takes more from the flash than the flash has sent");
    }
    return received.shift() ?? 0;
  };
  ssi.writeUint32 = (offset, value) => {
    if (offset === SELECT) {
      select = value;
    } else if (offset === DATA) {
      if (!selected || !select || !isOn() || read(CTRLR0) !== BYTES_BOTH_WAYS) {
        fail("the flash is sent a command while it is not selected, or in frames that are no bytes");
      }
      received.push(answer(value));
      if (received.length > FIFO_FRAMES) {
        fail("the flash is sent more bytes at once than its interface holds");
      }
    } else {
      if (offset === CTRLR0 && isOn()) {
        fail("the flash's interface takes no other frames while it is on");
      }
      write(offset, value);
    }
  };
  const pins = new BasePeripheral(chip, "IO_QSPI");
  pins.readUint32 = (offset) => (offset === SELECT_CTRL ? (selected ? FORCED_LOW << 8 : 0) : 0);
  pins.writeUint32 = (offset, value) => {
    if (offset !== SELECT_CTRL) {
      fail("the firmware sets a pin of the flash other than the one that selects it");
    }
    selected = (value >>> 8 & 3) === FORCED_LOW;
    taken = 0;
  };
  chip.peripherals[IO_QSPI] = pins;
}
