import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, hex, mixRgb, scaleRgb, type Rgb } from '../../picture/color.ts'
import type { Stage } from '../stage.ts'
import { litWindowColors, type House } from './houses.ts'
import { fillQuad, type Project } from './perspective.ts'
import { drawSign } from './sign.ts'
import type { StreetKind } from './street-kind.ts'

const signTones = ['#ff4c8c', '#4cd8ff', '#ffd24c', '#a46cff', '#ff7a3c', '#5cf0a0', '#ff3c4c', '#f4f0ff'].map(hex)

/** Draws windows, awnings and signs at the foot of a house. */
export function drawShops(
  stage: Stage,
  context: SKRSContext2D,
  project: Project,
  {
    kind,
    house,
    from,
    to,
    addHaze,
    applyLight,
    random,
    isDark,
  }: {
    kind: StreetKind
    house: House
    from: number
    to: number
    addHaze: (color: Rgb, z: number) => Rgb
    applyLight: (color: Rgb) => Rgb
    random: () => number
    isDark: boolean
  },
): void {
  const x = house.side * kind.wallDistance
  const accents = stage.brief.colors.length > 0 ? [...stage.brief.colors, ...signTones.slice(0, 3)] : signTones
  const shops = Math.max(1, Math.round((house.to - house.from) / 4.5))
  for (let shop = 0; shop < shops; shop++) {
    const z0 = house.from + ((shop + 0.08) / shops) * (house.to - house.from)
    const z1 = house.from + ((shop + 0.92) / shops) * (house.to - house.from)
    if (z0 < from || z1 > to || (kind.kerbDistance < 2 && random() < 0.7)) continue
    const isLit = isDark && random() < 0.75
    const windowColor = isLit ? (litWindowColors[Math.floor(random() * litWindowColors.length)] ?? signTones[2]) : undefined
    context.fillStyle = css(addHaze(windowColor ? mixRgb(windowColor, [255, 250, 235], 0.2) : applyLight(hex('#39414a')), z0))
    fillQuad(context, project, x * 0.994, [0.3, kind.storeyHeight * 0.82], [z0, z1])
    context.fillStyle = css(addHaze(applyLight(hex('#3c3430')), z0))
    for (const share of [0, 0.48, 0.96])
      fillQuad(
        context,
        project,
        x * 0.993,
        [0.1, kind.storeyHeight * 0.84],
        [z0 + (z1 - z0) * share, z0 + (z1 - z0) * share + 0.12],
      )
    const accent = accents[Math.floor(random() * accents.length)] ?? [255, 255, 255]
    if (random() < 0.55) {
      // Draws an awning over the sidewalk.
      context.fillStyle = css(addHaze(applyLight(mixRgb(accent, hex('#80604c'), 0.45)), z0))
      const outerX = x - house.side * 0.9
      const [a, b, c, d] = [
        project(x, kind.storeyHeight * 0.98, z0),
        project(x, kind.storeyHeight * 0.98, z1),
        project(outerX, kind.storeyHeight * 0.78, z1),
        project(outerX, kind.storeyHeight * 0.78, z0),
      ]
      context.beginPath()
      context.moveTo(a.x, a.y)
      for (const point of [b, c, d]) context.lineTo(point.x, point.y)
      context.fill()
    } else {
      context.fillStyle = css(addHaze(isDark && kind.signRate > 0.4 ? accent : applyLight(scaleRgb(accent, 0.6)), z0))
      fillQuad(context, project, x * 0.985, [kind.storeyHeight * 0.88, kind.storeyHeight * 1.12], [z0, z1])
    }
    for (let sign = random() < kind.signRate - 1 ? 2 : 1; sign > 0 && random() < kind.signRate; sign--)
      drawSign(context, project, {
        x,
        side: house.side,
        z: z0 + (z1 - z0) * random(),
        y: kind.storeyHeight * (1.1 + random() * 1.4),
        accent: accents[Math.floor(random() * accents.length)] ?? accent,
        isDark,
        addHaze,
        applyLight,
        random,
      })
  }
}
