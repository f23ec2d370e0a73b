import type { PlanPicture } from '../../render-plan.ts'
import { smoothstep } from '../../picture/curves.ts'
import { createPicture, WarpGrid } from '../../picture/warp-grid.ts'
import { paintSnowfall } from '../floating.ts'
import { paintRain } from '../rain.ts'
import type { Moment, Painter, Stage } from '../stage.ts'
import { guessDepth } from './depth-guess.ts'

/**
 * How far the camera goes within a film, as the share by which things grow and in widths to one side. Most of it moves the picture as
 * a whole, which never looks like rubber.
 */
const whole = { push: 0.085, aside: 0.017 }
/** What the nearest things do beyond that: much on open ground, little where subjects stand before a backdrop that is bent around them. */
const nearest = { open: { push: 0.075, aside: 0.009 }, aroundSubjects: { push: 0.035, aside: 0.003 } }
/** Of what the push-in leaves beyond the frame, so much is for drifting: an edge must never come into sight. */
const marginShare = 0.75
/** Where the prompt says which way, it goes farther. */
const namedWayShare = 1.7
/** And of a camera that is to stand still: a breath. */
const stillShare = 0.15

/**
 * Sets a picture in motion: a camera that pushes in and drifts to one side around the subject. At the first frame the grid
 * is the identity, so that the film begins with the very picture.
 */
export function paintFirstFrame(stage: Stage, picture: PlanPicture, prompt: string): (Painter | undefined)[] {
  const { compositor, geometry, brief } = stage
  const { width, height } = geometry
  const shown = createPicture(compositor, picture)
  const grid = new WarpGrid(compositor)
  const depth = guessDepth(picture)
  const nearness = new Float32Array(grid.columns * grid.rows)
  grid.set((x, y, index) => {
    nearness[index] = depth.nearness(x / width, y / height)
  })
  const random = stage.random('camera')
  const named = headingOf(prompt)
  const heading = named ?? { x: random() < 0.5 ? -1 : 1, y: (random() - 0.5) * 0.4 }
  const centre = { x: width * (0.47 + 0.06 * random()), y: height * depth.horizon }
  const far = standsStill(prompt) ? stillShare : 1
  const wide = named ? namedWayShare : 1
  const nearby = depth.hasSubjects ? nearest.aroundSubjects : nearest.open
  const drift = {
    x: Math.min(whole.aside * wide * width, marginShare * beyond(centre.x, width, heading.x)) * heading.x,
    y: Math.min(whole.aside * wide * height, marginShare * beyond(centre.y, height, heading.y)) * heading.y,
  }
  const parallax = { x: nearby.aside * width * heading.x, y: nearby.aside * height * heading.y }
  return [
    (moment) => {
      const travelled = (smoothstep(0, 1, moment.progress) * 0.5 + moment.progress * 0.5) * far
      const crop = 1 / (1 + whole.push * travelled)
      const pushed = nearby.push * travelled
      const place = (x: number, y: number, near: number, source: { x: number; y: number }): void => {
        const scale = crop * (1 - pushed * near)
        const before = near - depth.subject
        source.x = centre.x + (x - centre.x) * scale + travelled * (drift.x + parallax.x * before)
        source.y = centre.y + (y - centre.y) * scale + travelled * (drift.y + parallax.y * before)
      }
      grid.set((x, y, index, source) => {
        // Where a place comes from depends on how near it is there: a second step finds it.
        place(x, y, nearness[index] ?? 0, source)
        place(x, y, depth.nearness(source.x / width, source.y / height), source)
      })
      grid.draw(shown, compositor.planes)
    },
    brief.weather === 'snow' ? paintSnowfall(stage, [235, 240, 250], fadeIn) : undefined,
    brief.weather === 'rain' ? paintRain(stage, [190, 205, 225], fadeIn) : undefined,
  ]
}

/** What lies beyond the edge to which the camera drifts, when it has gone all the way. */
function beyond(centre: number, side: number, heading: number): number {
  return (heading < 0 ? centre : side - centre) * (1 - 1 / (1 + whole.push))
}

/** Weather sets in after the first frame, which stays the picture. */
function fadeIn(moment: Moment): number {
  return smoothstep(0.02, 0.3, moment.progress)
}

/** The way the camera goes, where the prompt says so. */
function headingOf(prompt: string): { x: number; y: number } | undefined {
  const lower = prompt.toLowerCase()
  if (/\b(pan|move|track|slide)\w*\s+(to\s+the\s+)?left\b|向左/.test(lower)) return { x: -1, y: 0 }
  if (/\b(pan|move|track|slide)\w*\s+(to\s+the\s+)?right\b|向右/.test(lower)) return { x: 1, y: 0 }
  if (/\b(tilt|crane|pan)\w*\s+up\b|向上/.test(lower)) return { x: 0, y: -1 }
  if (/\b(tilt|crane|pan)\w*\s+down\b|向下/.test(lower)) return { x: 0, y: 1 }
  return undefined
}

function standsStill(prompt: string): boolean {
  return /\b(static|fixed|locked|still)\s+(camera|shot)\b|\bcamera\s+(is\s+|stays\s+)?(static|fixed|locked|still)\b|固定镜头/i.test(
    prompt,
  )
}
