import type { Rgb } from '../../picture/color.ts'
import { overscan, type Painter, type Stage } from '../stage.ts'
import { drawFront } from './front.ts'
import type { House } from './houses.ts'
import { drawLamps } from './lamps.ts'
import { drawLines } from './lines.ts'
import { eyeHeight, focalUnits, createProjection, type Slice } from './perspective.ts'
import type { StreetKind } from './street-kind.ts'
import { drawTrees } from '../trees/street-trees.ts'

/**
 * Paints the houses between two distances as one layer. The part above the horizon is drawn first,
 * and the part below it after the road.
 */
export function paintFronts(
  stage: Stage,
  { kind, plan, slice, air }: { kind: StreetKind; plan: readonly House[]; slice: Slice & { depth: number }; air: Rgb },
): { aboveHorizon: Painter; belowHorizon: Painter } {
  const { geometry, horizon, compositor } = stage
  const { unit, width, height } = geometry
  const layerWidth = Math.ceil((width * overscan) / 16) * 16
  const scale = Math.max(1, unit / 760)
  const left = (width - layerWidth) / 2
  const top = -unit * 0.06
  const bottom = Math.min(height * 1.06, horizon + (eyeHeight / slice.nearDistance) * unit * focalUnits + 8)
  const project = createProjection(stage)
  const layer = compositor.layer(layerWidth / scale, (bottom - top) / scale, (context) => {
    context.scale(1 / scale, 1 / scale)
    context.translate(-left, -top)
    const visibleHouses = plan
      .filter(({ from, to }) => to > slice.nearDistance && from < slice.farDistance)
      .toSorted((a, b) => b.from - a.from)
    for (const house of visibleHouses) drawFront(stage, context, project, { kind, house, slice, air })
    if (kind.hasTrees) drawTrees(stage, context, project, { kind, slice, air })
    drawLamps(stage, context, project, { kind, slice, air })
    if (kind.wallDistance < 5) drawLines(stage, context, project, { kind, slice, air })
  })
  const position = { x: left, y: top, depth: slice.depth, scale }
  return {
    aboveHorizon: (moment) => stage.drawAt(layer, { ...position, rowEnd: horizon }, moment),
    belowHorizon: (moment) => stage.drawAt(layer, { ...position, rowFirst: horizon }, moment),
  }
}
