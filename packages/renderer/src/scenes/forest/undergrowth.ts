import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, hex, mixRgb, scaleRgb } from '../../picture/color.ts'
import type { Random } from '../../picture/random.ts'
import type { ForestLook } from './forest-look.ts'
import { placeSprite, type Sprites } from './sprites.ts'
import type { Tree } from '../trees/forest-trees.ts'

/**
 * Draws a plant or stone on the ground of a forest: ferns, broad leaves in a jungle, grass under
 * birches and bamboo, mounds under snow.
 */
export function drawUndergrowth(context: SKRSContext2D, sprites: Sprites, spot: Tree, look: ForestLook, random: Random): void {
  const kind = chooseCover(look, random())
  const sprite = sprites(`plant ${kind}`, spot.z, random, (canvasContext, { z, reach, random: spriteRandom }) =>
    // The foot of a plant is in the middle of its sprite. `reach` pixels are one meter.
    drawings[kind](canvasContext, { x: 0, y: 0, meter: reach, z }, look, spriteRandom),
  )
  placeSprite(context, sprite, { x: spot.x, y: spot.y, size: spot.meter * (0.8 + 0.4 * random()), flip: random() < 0.5 ? -1 : 1 })
}

type GroundCover = 'stone' | 'mound' | 'grass' | 'leaves' | 'fern'

const drawings: Record<GroundCover, (context: SKRSContext2D, spot: Tree, look: ForestLook, random: Random) => void> = {
  stone: drawStone,
  mound: drawMound,
  grass: drawGrass,
  leaves: drawBroadLeaves,
  fern: drawFern,
}

function chooseCover(look: ForestLook, choice: number): GroundCover {
  if (choice < 0.12) return 'stone'
  if (look.isWinter) return choice < 0.5 ? 'mound' : 'grass'
  if (look.kind === 'jungle') return choice < 0.7 ? 'leaves' : 'fern'
  if (look.kind === 'bamboo' || look.kind === 'birches') return choice < 0.75 ? 'grass' : 'fern'
  return choice < 0.62 ? 'fern' : 'grass'
}

function drawFern(context: SKRSContext2D, { x, y, meter, z }: Tree, look: ForestLook, random: Random): void {
  const fronds = 8
  const size = meter * (0.45 + 0.4 * random())
  const green = mixRgb(look.leaf, hex('#4a7a30'), 0.5)
  for (let frond = 0; frond < fronds; frond++) {
    const angle = -Math.PI / 2 + ((frond / (fronds - 1)) * 2 - 1) * 1.25 + (random() - 0.5) * 0.2
    const length = size * (0.7 + 0.4 * random())
    const [dx, dy] = [Math.cos(angle) * length, Math.sin(angle) * length]
    const pointAt = (pathShare: number): { x: number; y: number } => ({
      x: x + dx * pathShare,
      y: y + dy * pathShare * (1.5 - 0.5 * pathShare) + length * 0.42 * pathShare * pathShare,
    })
    context.strokeStyle = css(look.tone(scaleRgb(green, 0.75 + 0.6 * random()), 0.25 + 0.5 * random(), z))
    context.lineWidth = Math.max(0.7, size * 0.016)
    context.beginPath()
    context.moveTo(x, y)
    const leaflets = Math.round(Math.min(15, 5 + size / 8))
    for (let leaflet = 1; leaflet <= leaflets; leaflet++) {
      const pathShare = leaflet / leaflets
      const [point, nextPoint] = [pointAt(pathShare), pointAt(Math.min(1, pathShare + 0.06))]
      context.lineTo(point.x, point.y)
      const [alongX, alongY] = [nextPoint.x - point.x, nextPoint.y - point.y]
      const span = Math.hypot(alongX, alongY) || 1
      const reach = length * 0.2 * Math.sin(Math.PI * (0.18 + 0.8 * pathShare))
      for (const side of [-1, 1]) {
        context.moveTo(point.x, point.y)
        context.lineTo(
          point.x + ((-alongY / span) * side + alongX / span) * reach * 0.8,
          point.y + ((alongX / span) * side + alongY / span) * reach * 0.8,
        )
      }
      context.moveTo(point.x, point.y)
    }
    context.stroke()
  }
}

function drawGrass(context: SKRSContext2D, { x, y, meter, z }: Tree, look: ForestLook, random: Random): void {
  const size = meter * (0.22 + 0.26 * random())
  const tone = look.isWinter ? hex('#9a8a68') : mixRgb(look.leaf, hex('#6c8a3c'), 0.5)
  for (let blade = 0; blade < 14; blade++) {
    const lean = (random() - 0.5) * 1.3
    const length = size * (0.5 + 0.6 * random())
    context.strokeStyle = css(look.tone(scaleRgb(tone, 0.7 + 0.6 * random()), 0.2 + 0.5 * random(), z))
    context.lineWidth = Math.max(0.7, size * 0.035)
    const root = x + (random() - 0.5) * size * 0.8
    context.beginPath()
    context.moveTo(root, y)
    context.quadraticCurveTo(root + lean * length * 0.2, y - length * 0.7, root + lean * length * 0.7, y - length)
    context.stroke()
  }
}

function drawBroadLeaves(context: SKRSContext2D, { x, y, meter, z }: Tree, look: ForestLook, random: Random): void {
  const size = meter * (0.6 + 0.3 * random())
  for (let leaf = 0; leaf < 7; leaf++) {
    const angle = -Math.PI / 2 + ((leaf / 6) * 2 - 1) * 1.1 + (random() - 0.5) * 0.3
    const length = size * (0.7 + 0.4 * random())
    const [tipX, tipY] = [x + Math.cos(angle) * length, y + Math.sin(angle) * length + length * 0.24]
    const [midX, midY] = [x + Math.cos(angle) * length * 0.55, y + Math.sin(angle) * length * 0.75]
    const [outX, outY] = [-Math.sin(angle) * length * 0.2, Math.cos(angle) * length * 0.2]
    context.fillStyle = css(look.tone(scaleRgb(look.leaf, 0.7 + 0.7 * random()), 0.2 + 0.55 * random(), z))
    context.beginPath()
    context.moveTo(x, y)
    context.quadraticCurveTo(midX + outX, midY + outY, tipX, tipY)
    context.quadraticCurveTo(midX - outX, midY - outY, x, y)
    context.fill()
    context.strokeStyle = css(look.tone(look.leafLit, 0.5, z), 0.5)
    context.lineWidth = Math.max(0.6, size * 0.012)
    context.beginPath()
    context.moveTo(x, y)
    context.quadraticCurveTo(midX, midY, tipX, tipY)
    context.stroke()
  }
}

function drawStone(context: SKRSContext2D, { x, y, meter, z }: Tree, look: ForestLook, random: Random): void {
  const [width, height] = [meter * (0.25 + 0.45 * random()), meter * (0.14 + 0.24 * random())]
  const fill = context.createLinearGradient(0, y - height, 0, y)
  fill.addColorStop(0, css(look.tone(look.isWinter ? look.snow : mixRgb(hex('#7c7a72'), hex('#66803c'), 0.55), 0.6, z)))
  fill.addColorStop(0.5, css(look.tone(hex('#6c6a66'), 0.25, z)))
  fill.addColorStop(1, css(look.tone(hex('#3c3a38'), 0.1, z)))
  context.fillStyle = fill
  context.beginPath()
  context.moveTo(x - width, y)
  context.bezierCurveTo(x - width * 1.05, y - height * 0.9, x - width * 0.4, y - height * 1.15, x + width * 0.1, y - height)
  context.bezierCurveTo(x + width * 0.7, y - height * 0.9, x + width * 1.1, y - height * 0.4, x + width, y)
  context.quadraticCurveTo(x, y + height * 0.14, x - width, y)
  context.fill()
}

function drawMound(context: SKRSContext2D, { x, y, meter, z }: Tree, look: ForestLook, random: Random): void {
  const [width, height] = [meter * (0.4 + 0.5 * random()), meter * (0.2 + 0.3 * random())]
  const fill = context.createLinearGradient(x - width * look.facing, y - height, x + width * look.facing, y)
  fill.addColorStop(0, css(look.tone(scaleRgb(look.snow, 0.75), 0.2, z)))
  fill.addColorStop(0.7, css(look.tone(look.snow, 0.7, z)))
  context.fillStyle = fill
  context.beginPath()
  context.moveTo(x - width, y + 1)
  context.quadraticCurveTo(x - width * 0.7, y - height, x, y - height)
  context.quadraticCurveTo(x + width * 0.7, y - height * 0.9, x + width, y + 1)
  context.fill()
}
