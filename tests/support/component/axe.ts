import axe from 'axe-core'
import { onTestFinished } from 'vitest'
import { cdp } from 'vitest/browser'

export async function emulateColorScheme(scheme: 'light' | 'dark'): Promise<void> {
  const set = (value: string) =>
    cdp().send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value }] })
  await set(scheme)
  onTestFinished(async () => {
    await set('')
  })
}

/** Axe must see the final colours. */
function finishAnimations(): void {
  for (const animation of document.getAnimations())
    if (animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY) animation.finish()
}

export async function findAxeProblems(rules?: string[]): Promise<[string, string[]][]> {
  finishAnimations()
  const options: axe.RunOptions = { resultTypes: ['violations'], ...(rules ? { runOnly: rules } : {}) }
  const { violations } = await axe.run(document.body, options)
  return violations.map(({ id, nodes }): [string, string[]] => [id, nodes.map(({ html }) => html)])
}
