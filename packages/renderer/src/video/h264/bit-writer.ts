/**
 * Writes bits, most significant first, and the unsigned code of clause 9.1 of ITU-T H.264. It is
 * slow, and intended for the few bytes of parameter sets.
 */
export class BitWriter {
  #bits = ''

  /** Writes u(n): `value` in `bitCount` bits. */
  put(value: number, bitCount: number): this {
    this.#bits += value.toString(2).padStart(bitCount, '0')
    return this
  }

  /** Writes ue(v). */
  putUnsigned(value: number): this {
    const code = (value + 1).toString(2)
    this.#bits += '0'.repeat(code.length - 1) + code
    return this
  }

  /**
   * Returns the bits as bytes, with the stop bit and zeros up to a whole byte (clause 7.3.2.11).
   * Start codes are escaped (clause 7.4.1).
   */
  toBytes(): Uint8Array {
    const bits = `${this.#bits}1`
    const bytes: number[] = []
    for (let index = 0; index < bits.length; index += 8) {
      const byte = Number.parseInt(bits.slice(index, index + 8).padEnd(8, '0'), 2)
      if (byte <= 3 && bytes.at(-1) === 0 && bytes.at(-2) === 0) bytes.push(3)
      bytes.push(byte)
    }
    return Uint8Array.from(bytes)
  }
}
