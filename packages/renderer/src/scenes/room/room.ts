import { hex, mixRgb, type Rgb } from '../../picture/color.ts'
import type { Stage } from '../stage.ts'

export type RoomKind = 'living' | 'library' | 'bedroom' | 'kitchen' | 'cafe'

/** An opening in the back wall, in units from the vanishing point. */
export interface Opening {
  x: number
  y: number
  width: number
  height: number
}

/**
 * A room seen straight on. The vanishing point is the middle of the frame at the horizon. All
 * lengths are those of objects at the back wall. With a nearness of 2, an object is twice as large.
 */
export interface Room {
  kind: RoomKind
  halfWidth: number
  ceiling: number
  floor: number
  windows: readonly Opening[]
  isArched: boolean
  wall: Rgb
  trim: Rgb
  boards: Rgb
  cloth: Rgb
  /**
   * Returns a color in the room's light. `lightShare` is 1 in front of the window or lamp, and 0 in
   * the far corner.
   */
  applyLight: (color: Rgb, lightShare: number) => Rgb
  isLamplit: boolean
  /** Side of the lamp and the table, -1 or 1. */
  side: number
  lamp: { x: number; y: number; nearness: number }
}

/** Converts units from the vanishing point on the back wall, and a nearness, to frame pixels. */
export type Place = (x: number, y: number, nearness?: number) => { x: number; y: number }

export function placeIn({ geometry, horizon }: Stage): Place {
  const { width, unit } = geometry
  return (x, y, nearness = 1) => ({ x: width / 2 + x * nearness * unit, y: horizon + y * nearness * unit })
}

export function planRoom(stage: Stage): Room {
  const { brief, palette, geometry } = stage
  const kind = roomKindOf(stage)
  const wordRandom = stage.wordRandom('room')
  const side = wordRandom() < 0.5 ? -1 : 1
  const halfWidth = Math.min(0.66, (geometry.width / geometry.unit) * 0.36)
  const isLamplit = brief.time === 'night' || brief.time === 'dusk' || brief.weather === 'rain'
  const isNight = brief.time === 'night'
  const walls =
    kind === 'library' ? ['#8a6a4c', '#5c6a58', '#7a5a4c'] : ['#e2d6c2', '#b8c4b4', '#d4b8a4', '#a8b8c8', '#d8ccb0', '#8c9c94']
  const ambient = mixRgb(palette.skylight, [255, 236, 210], isLamplit ? 0.25 : 0.5)
  const dark = isNight ? 0.2 : isLamplit ? 0.27 : 0.34
  const bright = isLamplit ? (isNight ? 0.5 : 0.56) : 0.86
  const lamp = mixRgb(palette.sunlight, hex('#ffc88c'), isLamplit ? 0.75 : 0.3)
  return {
    kind,
    halfWidth,
    ceiling: -0.4,
    floor: 0.23,
    windows: findOpenings(stage, kind, halfWidth),
    isArched: kind !== 'kitchen' && stage.pick('arched', [false, false, true]),
    wall: hex(walls[Math.floor(wordRandom() * walls.length)] ?? '#d8ccb0'),
    trim: kind === 'library' ? hex('#4c3424') : hex(stage.pick('trim', ['#efe8dc', '#6c4a34', '#e8e4dc', '#4c4038'])),
    boards: hex(stage.pick('boards', ['#9c6c44', '#7c5638', '#b08a60', '#6c4c38'])),
    cloth: brief.colors[0] ?? hex(stage.pick('cloth', ['#8c3c34', '#34506c', '#5c6c44', '#b8843c', '#6c4a6c', '#c8b8a0'])),
    applyLight: (color, share) => {
      const strength = dark + (bright - dark) * share
      const tone = (channel: 0 | 1 | 2): number => {
        const light = ambient[channel] * (1 - share) * 0.8 + lamp[channel] * share + 255 * 0.12
        return Math.min(248, (color[channel] * strength * light) / 200)
      }
      return [tone(0), tone(1), tone(2)]
    },
    isLamplit,
    side,
    lamp: { x: side * halfWidth * 0.86, y: -0.02, nearness: 1.32 },
  }
}

function roomKindOf({ brief }: Stage): RoomKind {
  for (const kind of ['library', 'bedroom', 'kitchen', 'cafe'] as const) if (brief.settings.has(kind)) return kind
  return 'living'
}

function findOpenings(stage: Stage, kind: RoomKind, halfWidth: number): Opening[] {
  const sillY = kind === 'kitchen' ? 0.02 : kind === 'cafe' ? 0.13 : stage.pick('sill', [0.1, 0.06, 0.17])
  const top = -0.31
  const height = sillY - top
  const count = kind === 'cafe' ? 1 : stage.pick('windows', [1, 2, 1, 3])
  const width =
    kind === 'cafe' ? halfWidth * 1.62 : count === 1 ? halfWidth * stage.pick('width', [0.86, 1.14]) : (halfWidth * 1.36) / count
  const gap = count === 1 ? 0 : (halfWidth * 1.7) / count
  return Array.from({ length: count }, (_, index) => ({
    x: (index - (count - 1) / 2) * gap,
    y: (top + sillY) / 2,
    width: width * (count === 1 ? 1 : 0.86),
    height,
  }))
}
