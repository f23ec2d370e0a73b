import type { PlanPicture } from '../../render-plan.ts'
import { mix, smoothstep } from '../../picture/curves.ts'
import { createPicture, WarpGrid } from '../../picture/warp-grid.ts'
import { paintSnowfall } from '../floating.ts'
import { paintRain } from '../rain.ts'
import type { Moment, Painter, Stage } from '../stage.ts'
import { guessDepth } from './depth-guess.ts'

/**
 * Sets a picture in motion: a push-in in which near parts move more than far ones, with some drift to one side. At the
 * first frame the grid is the identity, so that the film begins with the very picture.
 */
export function paintFirstFrame(stage: Stage, picture: PlanPicture, prompt: string): (Painter | undefined)[] {
  const { compositor, geometry, brief } = stage
  const { width, height, unit } = geometry
  const shown = createPicture(compositor, picture)
  const grid = new WarpGrid(compositor)
  const guess = guessDepth(picture)
  const depth = new Float32Array(grid.columns * grid.rows)
  grid.set((x, y, index) => {
    depth[index] = guess(x / width, y / height)
  })
  const random = stage.random('camera')
  const heading = headingOf(prompt) ?? { x: random() < 0.5 ? -1 : 1, y: (random() - 0.5) * 0.4 }
  const centre = { x: width * (0.46 + 0.08 * random()), y: height * (0.48 + 0.06 * random()) }
  return [
    (moment) => {
      const travelled = smoothstep(0, 1, moment.progress) * 0.5 + moment.progress * 0.5
      const sway = Math.sin(moment.seconds * 0.9) * travelled * unit * 0.0018
      grid.set((x, y, index, source) => {
        const near = depth[index] ?? 0
        const zoom = 1 / (1 + travelled * (0.055 + 0.1 * near))
        // Kept inside what the push-in leaves beyond the frame.
        const drift = travelled * (near - 0.25) * unit * 0.028
        source.x = mix(centre.x, x, zoom) + heading.x * drift + sway * near
        source.y = mix(centre.y, y, zoom) + heading.y * drift
      })
      grid.draw(shown, compositor.planes)
    },
    brief.weather === 'snow' ? paintSnowfall(stage, [235, 240, 250], fadeIn) : undefined,
    brief.weather === 'rain' ? paintRain(stage, [190, 205, 225], fadeIn) : undefined,
  ]
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
