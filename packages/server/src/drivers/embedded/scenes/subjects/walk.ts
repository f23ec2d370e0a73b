import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, mixRgb, type Rgb } from '../../picture/colour.ts'
import { clamp } from '../../picture/curves.ts'
import type { Subject } from '../scene-brief.ts'
import type { Painter, Stage } from '../stage.ts'
import { drawPerson } from './person.ts'
import { drawQuadruped } from './quadruped.ts'
import { species, type Species, type SpeciesName } from './species.ts'

/** Ground covered in a stride, in shoulder heights. */
const stepLength = 0.36
const posesMax = 14
const posesMin = 10
/** What all walkers of a scene may take, in bytes for each pixel of the frame; `memoryPagesFor` counts on it. */
const walkerBytesPerPixel = 12
/** A layer's planes: Y, A, and a quarter each of U, V and A. */
const layerBytesPerPixel = 2.75

interface Walker {
  /** Height in units, shape width and height in heights, strides a second. */
  height: number
  width: number
  tall: number
  pace: number
  draw(context: SKRSContext2D, size: number, phase: number): void
}

export function isWalking(kind: Subject['kind']): kind is SpeciesName | 'person' {
  return kind === 'person' || kind in species
}

/** Walks slowly across the foreground, feet at `ground` (pixels); the stride is a cycle of poses drawn once. */
export function paintWalkers(
  stage: Stage,
  subject: Subject,
  { ground, depth, shadow, order, size = 1 }: { ground: number; depth: number; shadow: Rgb; order: number; size?: number },
): Painter {
  const { geometry, compositor } = stage
  const walker = walkerOf(stage, subject)
  const height = walker.height * geometry.unit * size
  const width = walker.width * height
  const tall = walker.tall * height
  const random = stage.random(`walker ${subject.kind}`)
  const facesLeft = (order % 2 === 1) !== random() < 0.35
  const { poses, detail } = affordablePoses(stage, width, tall + height * 0.1)
  const sprites = Array.from({ length: poses }, (_, pose) =>
    compositor.layer(width * detail, (tall + height * 0.1) * detail, (context, layerWidth) => {
      context.translate(layerWidth / 2, tall * detail)
      context.scale(detail, detail)
      drawShadow(context, Math.min(height * 0.95, width * 0.48), shadow)
      if (facesLeft) context.scale(-1, 1)
      walker.draw(context, height, pose / poses)
    }),
  )
  const count = Math.min(subject.count, 5)
  const members = Array.from({ length: count }, (_, index) => ({
    across: (index - (count - 1) / 2) * 0.95 + (index > 0 ? (random() - 0.5) * 0.3 : 0),
    nearer: index === 0 ? 0 : (random() - 0.35) * 0.1,
    phase: random(),
    size: index === 0 ? 1 : 0.82 + random() * 0.16,
  })).toSorted((a, b) => a.nearer - b.nearer)
  const start = 0.5 + (order === 0 ? (facesLeft ? 0.09 : -0.09) : order % 2 ? 0.24 : -0.26) + (random() - 0.5) * 0.06
  // Half-way through the film it is at its place; in a long one it walks more slowly, so that it stays in sight.
  const speed = Math.min(walker.pace * height * stepLength, (geometry.width * 0.45) / Math.max(1, stage.seconds))
  const strides = Math.max(walker.pace * 0.6, speed / (height * stepLength))
  const direction = facesLeft ? -speed : speed
  return (moment) => {
    const wandered = direction * (moment.seconds - stage.seconds / 2)
    for (const member of members) {
      const phase = (moment.seconds * strides + member.phase) % 1
      const sprite = sprites[Math.floor(phase * poses)]
      if (!sprite) continue
      const size = member.size * (1 + member.nearer)
      const scale = size / detail
      const x = geometry.width * start + wandered + member.across * width * 0.72
      const feet = ground + member.nearer * geometry.unit
      stage.drawAt(sprite, { x: x - (sprite.width * scale) / 2, y: feet - tall * size, depth, scale }, moment)
    }
  }
}

/** As many poses as fit the walkers' share of memory; for large animals in less detail before in fewer poses. */
function affordablePoses(stage: Stage, width: number, height: number): { poses: number; detail: number } {
  const kinds = stage.brief.subjects.filter(({ kind }) => isWalking(kind)).length
  const share = (walkerBytesPerPixel * stage.geometry.width * stage.geometry.height) / Math.max(1, kinds)
  const affordable = share / (width * height * layerBytesPerPixel)
  return { poses: clamp(Math.floor(affordable), posesMin, posesMax), detail: Math.min(1, Math.sqrt(affordable / posesMin)) }
}

function walkerOf(stage: Stage, subject: Subject): Walker {
  const { palette } = stage
  const dim = (colour: Rgb): Rgb => mixRgb(colour, palette.near, palette.subjectShade)
  if (subject.kind === 'person') {
    const coat = dim(subject.colour ?? [178, 62, 48])
    return {
      height: 0.24,
      width: 0.8,
      tall: 1.1,
      pace: 0.9,
      draw: (context, size, phase) =>
        drawPerson(context, size, phase, { coat, dark: dim([38, 36, 48]), skin: dim([224, 178, 148]), rim: palette.rim }),
    }
  }
  const kind: Species = species[isWalking(subject.kind) ? subject.kind : 'fox']
  // A fox called red is as red as foxes are.
  const named = subject.kind === 'fox' && subject.colour?.[0] === 200 ? undefined : subject.colour
  const coloured: Species = {
    ...kind,
    coat: dim(named ?? kind.coat),
    dark: dim(named ? mixRgb(kind.dark, named, 0.25) : kind.dark),
    light: dim(kind.light),
  }
  return {
    height: kind.height,
    width: kind.tail === 'brush' || kind.tail === 'whip' ? 2.95 : 2.6,
    tall: kind.antlers ? 2.04 : kind.mane ? 1.82 : 1.6,
    pace: kind.pace,
    draw: (context, size, phase) => drawQuadruped(context, coloured, size, phase, { rim: palette.rim, shadow: palette.shade }),
  }
}

/** A soft contact shadow: without it things float. */
function drawShadow(context: SKRSContext2D, radius: number, colour: Rgb): void {
  context.save()
  context.scale(1, 0.1)
  const gradient = context.createRadialGradient(0, 0, 0, 0, 0, radius)
  gradient.addColorStop(0, css(colour, 0.55))
  gradient.addColorStop(0.55, css(colour, 0.26))
  gradient.addColorStop(1, css(colour, 0))
  context.fillStyle = gradient
  context.fillRect(-radius, -radius, radius * 2, radius * 2)
  context.restore()
}
