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
  const below = (limit: number) => Math.floor(random() * limit)
  // Half of the mutations affect the first bytes, where headers are.
  const at = random() < 0.5 ? below(Math.min(byteLength, 256)) : below(byteLength)
  const length = 1 + below(Math.min(64, byteLength - at))
  const boundaryValue = () => boundaryValues[below(boundaryValues.length)] ?? 0
  switch (below(8)) {
    case 0:
      bytes[at] = (bytes[at] ?? 0) ^ (1 << below(8))
      return bytes
    case 1:
      bytes[at] = below(256)
      return bytes
    case 2:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)])
    case 3:
      return Buffer.concat([bytes.subarray(0, at + length), bytes.subarray(at)])
    case 4:
      return bytes.fill(boundaryValue(), at, at + length)
    case 5:
      // A false length or dimension.
      if (at + 4 <= byteLength) bytes.writeUInt32BE(below(2) === 0 ? below(2 ** 32) : boundaryValue() * 0x01010101, at)
      return bytes
    case 6:
      if (at + 2 <= byteLength) bytes.writeUInt16LE(below(2 ** 16), at)
      return bytes
    default:
      return bytes.copyWithin(at, below(byteLength), below(byteLength))
  }
}
