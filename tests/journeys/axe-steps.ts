import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import type axe from 'axe-core'
import { expect } from './fixtures.ts'

/** Loading axe takes as long as running it, so the script is minified. */
const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const colorRules = ['color-contrast', 'link-in-text-block']

/** @param rules all rules by default */
export async function findAxeProblems(page: Page, rules?: string[]): Promise<[string, string[]][]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
  const options: axe.RunOptions = { resultTypes: ['violations'], ...(rules ? { runOnly: rules } : {}) }
  return page.evaluate(async (given) => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document, given)
    return violations.map(({ id, nodes }): [string, string[]] => [id, nodes.map(({ html }) => html)])
  }, options)
}

export async function expectNoAxeProblems(page: Page, screen: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await settleColors(page)
    const problems = await findAxeProblems(page, colorScheme === 'light' ? undefined : colorRules)
    expect.soft(problems, `${screen}, ${colorScheme}`).toEqual([])
  }
}

export async function expectNoAxeProblemsAtBothWidths(page: Page, screen: string): Promise<void> {
  const own = page.viewportSize()
  await expectNoAxeProblems(page, screen)
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoAxeProblems(page, `${screen}, on a phone`)
  if (own) await page.setViewportSize(own)
}

/** Finishes colour transitions. Browsers do not render background pages. */
async function settleColors(page: Page): Promise<void> {
  await page.bringToFront()
  await page.evaluate(() => {
    const running = () => document.getAnimations().filter((one) => one instanceof CSSTransition)
    for (let left = running(); left.length > 0; left = running())
      for (const transition of left) transition.finish()
  })
}
