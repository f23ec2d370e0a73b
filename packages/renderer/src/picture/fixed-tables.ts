import type { Arena } from './arena.ts'
import type { Kernels } from './kernels.ts'

export type Profile = 'glow' | 'disc'
export type Profiles = Record<Profile, number>

const profileEntries = 64
const tileSide = 256
const tileSamples = tileSide * tileSide * 2

/**
 * Stores the profiles of spots in the memory and returns their addresses. A profile lists the
 * strength of a spot by the squared distance from its center. `glow` is bell-shaped, `disc` is flat
 * with a soft edge.
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
export function createDitherTile(arena: Arena, kernels: Kernels): number {
  const address = arena.allocate(tileSamples * 2)
  const shorts = new Int16Array(arena.memory.buffer, address, tileSamples)
  if (ditherTile) shorts.set(ditherTile)
  else {
    kernels.drawDitherTile(address, arena.remaining().allocate((tileSide * tileSide + 1) * 4))
    ditherTile = shorts.slice()
  }
  return address
}
