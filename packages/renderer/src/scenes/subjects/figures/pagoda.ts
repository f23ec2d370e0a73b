import { css, hex, mixRgb, scaleRgb } from '../../../picture/color.ts'
import { blend, fillCorners, fillCurve, fillGlow, fillRibbon } from '../brush.ts'
import type { Model } from '../model.ts'

const storyCount = 5

/** A pagoda of five stories with upturned eaves and a spire. */
export const pagoda: Model = {
  height: 0.5,
  reach: { side: 0.44, up: 1.06, down: 0.05 },
  draw(figure, _phase, { color, isDark }) {
    const wood = color ?? hex('#b0402c')
    const tiles = hex('#3d4650')
    const stone = hex('#8d8880')
    figure.part(
      (context) => {
        context.fillStyle = blend(context, [0, -0.08], [0, 0.03], [stone, scaleRgb(stone, 0.7)])
        context.fillRect(-0.3, -0.05, 0.6, 0.07)
        context.fillRect(-0.26, -0.075, 0.52, 0.03)
        context.fillStyle = css(hex('#c9a24a'))
        fillRibbon(context, [
          { x: 0, y: -0.84, r: 0.014 },
          { x: 0, y: -1.0, r: 0.004 },
        ])
        for (let ring = 0; ring < 5; ring++)
          context.fillRect(-0.022 + ring * 0.003, -0.86 - ring * 0.022, 0.044 - ring * 0.006, 0.009)
      },
      { thickness: 0.08 },
    )
    for (let story = storyCount - 1; story >= 0; story--) {
      const foot = -0.075 - story * 0.15
      const halfWidth = 0.2 - story * 0.024
      figure.part(
        (context) => {
          context.fillStyle = blend(context, [0, foot - 0.12], [0, foot], [scaleRgb(wood, 0.62), wood])
          context.fillRect(-halfWidth, foot - 0.12, halfWidth * 2, 0.122)
          context.fillStyle = css(scaleRgb(wood, 0.55))
          for (let post = 0; post <= 4; post++)
            context.fillRect(-halfWidth + (post * halfWidth) / 2 - 0.006, foot - 0.12, 0.012, 0.122)
          context.fillRect(-halfWidth, foot - 0.035, halfWidth * 2, 0.008)
        },
        { volume: 0.5, rim: 0.4, thickness: 0.14 },
      )
      figure.shine(isDark, (context) => {
        for (let bay = 0; bay < 4; bay++) {
          const x = -halfWidth + (bay + 0.25) * (halfWidth / 2)
          context.fillStyle = isDark ? css(hex('#ffcf7c')) : css(mixRgb(hex('#f0e4c8'), wood, 0.25))
          context.fillRect(x, foot - 0.1, halfWidth * 0.26, 0.055)
        }
        if (isDark) fillGlow(context, 0, foot - 0.07, halfWidth * 1.3, [255, 180, 90], 0.28)
      })
      figure.part(
        (context) => {
          const [top, eave] = [foot - 0.165, foot - 0.105]
          const width = halfWidth * 1.62
          context.fillStyle = blend(
            context,
            [0, top],
            [0, eave + 0.02],
            [mixRgb(tiles, [255, 255, 255], 0.12), scaleRgb(tiles, 0.75)],
          )
          context.beginPath()
          context.moveTo(-halfWidth * 0.72, top)
          context.lineTo(halfWidth * 0.72, top)
          context.quadraticCurveTo(halfWidth * 1.05, eave - 0.012, width, eave - 0.03)
          context.quadraticCurveTo(halfWidth * 1.2, eave + 0.012, 0, eave + 0.012)
          context.quadraticCurveTo(-halfWidth * 1.2, eave + 0.012, -width, eave - 0.03)
          context.quadraticCurveTo(-halfWidth * 1.05, eave - 0.012, -halfWidth * 0.72, top)
          context.fill()
          context.strokeStyle = css(hex('#c9a24a'), 0.8)
          context.lineWidth = 0.006
          context.beginPath()
          context.moveTo(-width, eave - 0.03)
          context.quadraticCurveTo(-halfWidth * 1.2, eave + 0.012, 0, eave + 0.012)
          context.quadraticCurveTo(halfWidth * 1.2, eave + 0.012, width, eave - 0.03)
          context.stroke()
        },
        { thickness: 0.08 },
      )
    }
    figure.part(
      (context) => {
        context.fillStyle = css(scaleRgb(stone, 0.85))
        fillCorners(context, [
          [-0.06, -0.075],
          [0.06, -0.075],
          [0.1, 0.03],
          [-0.1, 0.03],
        ])
        context.fillStyle = css(scaleRgb(wood, 0.3))
        fillCurve(context, [
          [-0.04, -0.075],
          [-0.04, -0.16],
          [0, -0.175],
          [0.04, -0.16],
          [0.04, -0.075],
        ])
      },
      { volume: 0.4, thickness: 0.1, rim: 0.4 },
    )
  },
}
