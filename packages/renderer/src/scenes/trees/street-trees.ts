import type { SKRSContext2D } from '@napi-rs/canvas'
import { hex, mixRgb, scaleRgb, type Rgb } from '../../picture/colour.ts'
import { drawBroadleaf } from './broadleaf.ts'
import { crowns } from './season.ts'
import type { Stage } from '../stage.ts'
import type { Project, Slice } from '../street/perspective.ts'
import type { StreetKind } from '../street/street-kind.ts'

/** Draws a row of trees along each kerb. */
export function drawTrees(
  stage: Stage,
  context: SKRSContext2D,
  project: Project,
  { kind, slice, air }: { kind: StreetKind; slice: Slice; air: Rgb },
): void {
  const { palette, brief, sun, geometry } = stage
  const random = stage.random(`street trees ${slice.near}`)
  const leaf = mixRgb(
    (brief.season ? crowns[brief.season] : undefined) ?? hex('#4c6c30'),
    palette.near,
    0.12 + palette.subjectShade,
  )
  if (brief.without.has('plants') || brief.weather === 'snow') return
  for (let z = Math.floor(slice.far / 9) * 9 + 4; z > Math.max(slice.near, 6); z -= 9) {
    for (const side of [-1, 1]) {
      const foot = project(side * (kind.kerb + 1.1), 0, z)
      const top = project(side * (kind.kerb + 1.1), 7.5, z)
      const haze = 0.7 * (1 - Math.exp(-z / 60))
      const colour = mixRgb(leaf, air, haze)
      drawBroadleaf(context, {
        x: foot.x,
        y: foot.y,
        height: foot.y - top.y,
        colour: scaleRgb(colour, 0.8),
        lit: mixRgb(scaleRgb(colour, 1.2), palette.sunlight, 0.15),
        facing: sun.x > geometry.width / 2 ? 1 : -1,
        random,
      })
    }
  }
}
