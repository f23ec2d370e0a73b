import { hex, scaleRgb } from '../../picture/color.ts'
import { paintMotes, paintSnowfall } from '../air/motes.ts'
import type { PlacedSubjects } from '../subjects/placed-subjects.ts'
import { paintRain } from '../air/rain.ts'
import { paintFurniture } from '../room/furniture.ts'
import { paintLampLight, paintWindowLight } from '../room/light.ts'
import { planRoom } from '../room/room.ts'
import { paintShell } from '../room/shell.ts'
import { paintView } from '../room/view.ts'
import type { Painter, Stage } from '../stage.ts'

/**
 * Paints a room with a view. The window shows the time of day and the weather. Daylight falls on
 * the floor, and lamps are lit when it is dark. Dust drifts in the air.
 */
export function paintRoom(stage: Stage, subjects: PlacedSubjects): (Painter | undefined)[] {
  const { brief, palette } = stage
  const room = planRoom(stage)
  return [
    ...paintView(stage, room.kind),
    subjects.sky,
    brief.weather === 'rain' ? paintRain(stage, palette.mist) : undefined,
    brief.weather === 'snow' ? paintSnowfall(stage, [235, 240, 250]) : undefined,
    paintShell(stage, room),
    brief.time === 'night' ? undefined : paintWindowLight(stage, room),
    paintFurniture(stage, room),
    subjects.floating,
    room.isLamplit ? paintLampLight(stage, room) : undefined,
    subjects.ground,
    paintMotes(stage, { count: 70, light: scaleRgb(room.isLamplit ? hex('#ffb860') : palette.rim, 0.2), top: 0, size: 0.6 }),
  ]
}
