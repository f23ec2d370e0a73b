import type { Arena } from './arena.ts'
import { createRandom } from './random.ts'

export type Profile = 'glow' | 'disc'
export type Profiles = Record<Profile, number>

const profileEntries = 64
const tileSide = 256

/**
 * Stores the profiles of spots in the memory and returns their addresses. A profile is the strength
 * of a spot by the squared distance from its center. `glow` is bell-shaped, `disc` is flat with a
 * soft edge.
 */
export function createProfiles(arena: Arena): Profiles {
  // One more entry, of strength 0, is for samples outside the spot.
  const bytes = (profileEntries + 1) * 2
  const profiles = { glow: arena.allocate(bytes), disc: arena.allocate(bytes) }
  const shorts = new Int16Array(arena.memory.buffer)
  const edgeValue = Math.exp(-4.5)
  for (let entry = 0; entry < profileEntries; entry++) {
    const squaredDistance = entry / profileEntries
    shorts[(profiles.glow >> 1) + entry] = 32_767 * Math.max(0, (Math.exp(-squaredDistance * 4.5) - edgeValue) / (1 - edgeValue))
    shorts[(profiles.disc >> 1) + entry] = 32_767 * Math.min(1, (1 - Math.sqrt(squaredDistance)) * 3.2)
  }
  shorts[(profiles.glow >> 1) + profileEntries] = shorts[(profiles.disc >> 1) + profileEntries] = 0
  return profiles
}

let ditherTile: Int16Array | undefined

/**
 * Stores the dither tile in the memory and returns its address. It is triangular noise with few low
 * frequencies: 256 rows of 256 samples, each row twice in succession. All videos have the same
 * tile.
 */
export function createDitherTile(arena: Arena): number {
  ditherTile ??= drawDitherTile()
  const address = arena.allocate(ditherTile.byteLength)
  new Int16Array(arena.memory.buffer).set(ditherTile, address >> 1)
  return address
}

function drawDitherTile(): Int16Array {
  const random = createRandom(9)
  const white = Float32Array.from({ length: tileSide * tileSide }, () => random() - random())
  const valueAt = (x: number, y: number): number => white[((y & 255) << 8) | (x & 255)] ?? 0
  const tile = new Int16Array(tileSide * tileSide * 2)
  for (let y = 0; y < tileSide; y++) {
    for (let x = 0; x < tileSide; x++) {
      const neighborSum = valueAt(x + 1, y) + valueAt(x - 1, y) + valueAt(x, y + 1) + valueAt(x, y - 1)
      const value = Math.max(-32_767, Math.min(32_767, (valueAt(x, y) - 0.2 * neighborSum) * 16_384))
      const index = y * tileSide * 2 + x
      tile[index] = value
      tile[index + tileSide] = value
    }
  }
  return tile
}
