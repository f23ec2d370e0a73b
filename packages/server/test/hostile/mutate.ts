/**
 * Mutates a file as a fuzzer does: with a few small mutations of random kinds at random positions.
 */
export function mutate(bytes: Buffer, random: () => number): Buffer {
  let mutated: Buffer = Buffer.from(bytes)
  const count = 1 + Math.floor(random() * random() * 8)
  for (let mutation = 0; mutation < count && mutated.byteLength > 8; mutation++) mutated = mutateOnce(mutated, random)
  return mutated
}

const boundaryValues = [0, 1, 0x7f, 0x80, 0xfe, 0xff]

function mutateOnce(bytes: Buffer, random: () => number): Buffer {
  const { byteLength } = bytes
  const randomBelow = (limit: number) => Math.floor(random() * limit)
  // Half of the mutations affect the first bytes, where headers are.
  const offset = random() < 0.5 ? randomBelow(Math.min(byteLength, 256)) : randomBelow(byteLength)
  const length = 1 + randomBelow(Math.min(64, byteLength - offset))
  const boundaryValue = () => boundaryValues[randomBelow(boundaryValues.length)] ?? 0
  switch (randomBelow(8)) {
    case 0:
      bytes[offset] = (bytes[offset] ?? 0) ^ (1 << randomBelow(8))
      return bytes
    case 1:
      bytes[offset] = randomBelow(256)
      return bytes
    case 2:
      return Buffer.concat([bytes.subarray(0, offset), bytes.subarray(offset + length)])
    case 3:
      return Buffer.concat([bytes.subarray(0, offset + length), bytes.subarray(offset)])
    case 4:
      return bytes.fill(boundaryValue(), offset, offset + length)
    case 5:
      // A false length or dimension.
      if (offset + 4 <= byteLength)
        bytes.writeUInt32BE(randomBelow(2) === 0 ? randomBelow(2 ** 32) : boundaryValue() * 0x01010101, offset)
      return bytes
    case 6:
      if (offset + 2 <= byteLength) bytes.writeUInt16LE(randomBelow(2 ** 16), offset)
      return bytes
    default:
      return bytes.copyWithin(offset, randomBelow(byteLength), randomBelow(byteLength))
  }
}
