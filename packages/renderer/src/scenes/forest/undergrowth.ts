import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, hex, mixRgb, scaleRgb } from '../../picture/colour.ts'
import type { Random } from '../../picture/random.ts'
import type { ForestLook } from './forest-look.ts'
import { placeSprite, type Sprites } from './sprites.ts'
import type { Tree } from '../trees/forest-trees.ts'

/**
 * Draws a plant or stone at the trees' feet: ferns, broad leaves in a jungle, grass under birches
 * and bamboo, mounds under snow.
 */
export function drawUndergrowth(context: SKRSContext2D, sprites: Sprites, spot: Tree, look: ForestLook, random: Random): void {
  const kind = kindOf(look, random())
  const sprite = sprites(`plant ${kind}`, spot.z, random, (drawn, { z, reach, random: own }) =>
    // A plant stands in the middle of its sprite, whose reach is one meter.
    plants[kind](drawn, { x: 0, y: 0, metre: reach, z }, look, own),
  )
  placeSprite(context, sprite, { x: spot.x, y: spot.y, size: spot.metre * (0.8 + 0.4 * random()), flip: random() < 0.5 ? -1 : 1 })
}

type Plant = 'stone' | 'mound' | 'grass' | 'leaves' | 'fern'

const plants: Record<Plant, (context: SKRSContext2D, spot: Tree, look: ForestLook, random: Random) => void> = {
  stone: drawStone,
  mound: drawMound,
  grass: drawGrass,
  leaves: drawBroadLeaves,
  fern: drawFern,
}

function kindOf(look: ForestLook, dice: number): Plant {
  if (dice < 0.12) return 'stone'
  if (look.isWinter) return dice < 0.5 ? 'mound' : 'grass'
  if (look.kind === 'jungle') return dice < 0.7 ? 'leaves' : 'fern'
  if (look.kind === 'bamboo' || look.kind === 'birches') return dice < 0.75 ? 'grass' : 'fern'
  return dice < 0.62 ? 'fern' : 'grass'
}

function drawFern(context: SKRSContext2D, { x, y, metre, z }: Tree, look: ForestLook, random: Random): void {
  const fronds = 8
  const size = metre * (0.45 + 0.4 * random())
  const green = mixRgb(look.leaf, hex('#4a7a30'), 0.5)
  for (let frond = 0; frond < fronds; frond++) {
    const angle = -Math.PI / 2 + ((frond / (fronds - 1)) * 2 - 1) * 1.25 + (random() - 0.5) * 0.2
    const length = size * (0.7 + 0.4 * random())
    const [dx, dy] = [Math.cos(angle) * length, Math.sin(angle) * length]
    const at = (way: number): { x: number; y: number } => ({
      x: x + dx * way,
      y: y + dy * way * (1.5 - 0.5 * way) + length * 0.42 * way * way,
    })
    context.strokeStyle = css(look.tone(scaleRgb(green, 0.75 + 0.6 * random()), 0.25 + 0.5 * random(), z))
    context.lineWidth = Math.max(0.7, size * 0.016)
    context.beginPath()
    context.moveTo(x, y)
    const leaflets = Math.round(Math.min(15, 5 + size / 8))
    for (let leaflet = 1; leaflet <= leaflets; leaflet++) {
      const way = leaflet / leaflets
      const [here, ahead] = [at(way), at(Math.min(1, way + 0.06))]
      context.lineTo(here.x, here.y)
      const [alongX, alongY] = [ahead.x - here.x, ahead.y - here.y]
      const span = Math.hypot(alongX, alongY) || 1
      const reach = length * 0.2 * Math.sin(Math.PI * (0.18 + 0.8 * way))
      for (const side of [-1, 1]) {
        context.moveTo(here.x, here.y)
        context.lineTo(
          here.x + ((-alongY / span) * side + alongX / span) * reach * 0.8,
          here.y + ((alongX / span) * side + alongY / span) * reach * 0.8,
        )
      }
      context.moveTo(here.x, here.y)
    }
    context.stroke()
  }
}

function drawGrass(context: SKRSContext2D, { x, y, metre, z }: Tree, look: ForestLook, random: Random): void {
  const size = metre * (0.22 + 0.26 * random())
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

function drawBroadLeaves(context: SKRSContext2D, { x, y, metre, z }: Tree, look: ForestLook, random: Random): void {
  const size = metre * (0.6 + 0.3 * random())
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

function drawStone(context: SKRSContext2D, { x, y, metre, z }: Tree, look: ForestLook, random: Random): void {
  const [wide, tall] = [metre * (0.25 + 0.45 * random()), metre * (0.14 + 0.24 * random())]
  const fill = context.createLinearGradient(0, y - tall, 0, y)
  fill.addColorStop(0, css(look.tone(look.isWinter ? look.snow : mixRgb(hex('#7c7a72'), hex('#66803c'), 0.55), 0.6, z)))
  fill.addColorStop(0.5, css(look.tone(hex('#6c6a66'), 0.25, z)))
  fill.addColorStop(1, css(look.tone(hex('#3c3a38'), 0.1, z)))
  context.fillStyle = fill
  context.beginPath()
  context.moveTo(x - wide, y)
  context.bezierCurveTo(x - wide * 1.05, y - tall * 0.9, x - wide * 0.4, y - tall * 1.15, x + wide * 0.1, y - tall)
  context.bezierCurveTo(x + wide * 0.7, y - tall * 0.9, x + wide * 1.1, y - tall * 0.4, x + wide, y)
  context.quadraticCurveTo(x, y + tall * 0.14, x - wide, y)
  context.fill()
}

function drawMound(context: SKRSContext2D, { x, y, metre, z }: Tree, look: ForestLook, random: Random): void {
  const [wide, tall] = [metre * (0.4 + 0.5 * random()), metre * (0.2 + 0.3 * random())]
  const fill = context.createLinearGradient(x - wide * look.facing, y - tall, x + wide * look.facing, y)
  fill.addColorStop(0, css(look.tone(scaleRgb(look.snow, 0.75), 0.2, z)))
  fill.addColorStop(0.7, css(look.tone(look.snow, 0.7, z)))
  context.fillStyle = fill
  context.beginPath()
  context.moveTo(x - wide, y + 1)
  context.quadraticCurveTo(x - wide * 0.7, y - tall, x, y - tall)
  context.quadraticCurveTo(x + wide * 0.7, y - tall * 0.9, x + wide, y + 1)
  context.fill()
}
