import type { SKRSContext2D } from '@napi-rs/canvas'
import { hex, mixRgb, scaleRgb, type Rgb } from '../../picture/color.ts'
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
  const random = stage.random(`street trees ${slice.nearDistance}`)
  const leaf = mixRgb(
    (brief.season ? crowns[brief.season] : undefined) ?? hex('#4c6c30'),
    palette.nearColor,
    0.12 + palette.subjectShade,
  )
  if (brief.omittedParts.has('plants') || brief.weather === 'snow') return
  for (let z = Math.floor(slice.farDistance / 9) * 9 + 4; z > Math.max(slice.nearDistance, 6); z -= 9) {
    for (const side of [-1, 1]) {
      const foot = project(side * (kind.kerbDistance + 1.1), 0, z)
      const top = project(side * (kind.kerbDistance + 1.1), 7.5, z)
      const haze = 0.7 * (1 - Math.exp(-z / 60))
      const color = mixRgb(leaf, air, haze)
      drawBroadleaf(context, {
        x: foot.x,
        y: foot.y,
        height: foot.y - top.y,
        color: scaleRgb(color, 0.8),
        litColor: mixRgb(scaleRgb(color, 1.2), palette.sunlight, 0.15),
        facing: sun.x > geometry.width / 2 ? 1 : -1,
        random,
      })
    }
  }
}
