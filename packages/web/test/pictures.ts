import type { Page } from 'playwright-core';

/**
 * Draws a picture for a space of the seed: a sky, a ground and a few lights, different for each number.
 * Returns WebP, 1280 × 720.
 */
export async function drawPicture(page: Page, number: number): Promise<Buffer> {
  const data = await page.evaluate((seed) => {
    let state = seed * 7_919 + 17;
    const next = (to: number) => {
      state = (state * 16_807) % 2_147_483_647;
      return state % to;
    };
    const canvas = document.createElement('canvas');
    canvas.width = 1280;
    canvas.height = 720;
    const draw = canvas.getContext('2d');
    if (!draw) throw new Error('no canvas');
    const hue = next(360);
    const sky = draw.createLinearGradient(0, 0, 0, 720);
    sky.addColorStop(0, `hsl(${hue} 45% 16%)`);
    sky.addColorStop(1, `hsl(${hue + 40} 60% 55%)`);
    draw.fillStyle = sky;
    draw.fillRect(0, 0, 1280, 720);
    for (let star = 0; star < 70; star++) {
      draw.fillStyle = `hsl(${hue + 20} 80% 92% / ${next(100) / 100})`;
      draw.fillRect(next(1280), next(420), 3, 3);
    }
    draw.fillStyle = `hsl(${hue + 60} 90% 86%)`;
    draw.beginPath();
    draw.arc(200 + next(880), 150 + next(160), 40 + next(70), 0, 7);
    draw.fill();
    for (let ridge = 0; ridge < 3; ridge++) {
      draw.fillStyle = `hsl(${hue + 10 + ridge * 12} 40% ${34 - ridge * 11}%)`;
      draw.beginPath();
      draw.moveTo(0, 720);
      for (let x = 0; x <= 1280; x += 80) draw.lineTo(x, 430 + ridge * 90 - next(120));
      draw.lineTo(1280, 720);
      draw.fill();
    }
    return canvas.toDataURL('image/webp', 0.8);
  }, number);
  return Buffer.from(data.slice(data.indexOf(',') + 1), 'base64');
}
