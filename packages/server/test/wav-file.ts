/** Creates a WAV file of about this size, with a different tone for each number. */
export function wavFile(sizeBytes: number, number = 0): Buffer {
  const [rate, bytesPerFrame] = [48_000, 4]
  const file = Buffer.alloc(Math.floor(sizeBytes / bytesPerFrame) * bytesPerFrame)
  file.write('RIFF', 0, 'latin1')
  file.writeUInt32LE(file.byteLength - 8, 4)
  file.write('WAVEfmt ', 8, 'latin1')
  file.writeUInt32LE(16, 16)
  file.writeUInt16LE(1, 20)
  file.writeUInt16LE(2, 22)
  file.writeUInt32LE(rate, 24)
  file.writeUInt32LE(rate * bytesPerFrame, 28)
  file.writeUInt16LE(bytesPerFrame, 32)
  file.writeUInt16LE(16, 34)
  file.write('data', 36, 'latin1')
  file.writeUInt32LE(file.byteLength - 44, 40)
  for (let offset = 44; offset + 1 < file.byteLength; offset += 2)
    file.writeInt16LE(((offset * (13 + number)) % 65_536) - 32_768, offset)
  return file
}
