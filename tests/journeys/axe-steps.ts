/** What axe finds on a page, and on a screen in both colour schemes. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import type axe from 'axe-core'
import { expect } from './fixtures.ts'

/** Minified: to load axe takes a page as long as to run it. */
const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What a colour scheme can change; every other rule reads the same document again. */
const colorRules = ['color-contrast', 'link-in-text-block']

/**
 * Runs axe in the page and returns what is wrong: each broken rule with the HTML of its elements. Axe is loaded once a
 * document, and what is right is neither gathered nor sent.
 * @param rules all of axe's unless given
 */
export async function findAxeProblems(page: Page, rules?: string[]): Promise<[string, string[]][]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
  const options: axe.RunOptions = { resultTypes: ['violations'], ...(rules ? { runOnly: rules } : {}) }
  return page.evaluate(async (given) => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document, given)
    return violations.map(({ id, nodes }): [string, string[]] => [id, nodes.map(({ html }) => html)])
  }, options)
}

/** Expects that axe finds nothing on a screen, light or dark. What is wrong is told of every screen, not of the first alone. */
export async function expectNoAxeProblems(page: Page, screen: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await settleColors(page)
    const problems = await findAxeProblems(page, colorScheme === 'light' ? undefined : colorRules)
    expect.soft(problems, `${screen}, ${colorScheme}`).toEqual([])
  }
}

/** As `expectNoAxeProblems`, at the page's own width and at a phone's: one visit of a screen shows both. */
export async function expectNoAxeProblemsAtBothWidths(page: Page, screen: string): Promise<void> {
  const own = page.viewportSize()
  await expectNoAxeProblems(page, screen)
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoAxeProblems(page, `${screen}, on a phone`)
  if (own) await page.setViewportSize(own)
}

/**
 * Ends every running colour transition, so that each colour read is the new scheme's. One of no length still takes its frames,
 * which come late on a busy machine and not at all to a page behind another: so the page comes to the front and none is waited for.
 */
async function settleColors(page: Page): Promise<void> {
  await page.bringToFront()
  await page.evaluate(() => {
    const running = () => document.getAnimations().filter((one) => one instanceof CSSTransition)
    for (let left = running(); left.length > 0; left = running())
      for (const transition of left) transition.finish()
  })
}
