/** A new context takes longer than most journeys. */
import type { Browser, BrowserContext, CDPSession, Page } from '@playwright/test'

export type ContextPool = {
  /**
   * @param kind a context is only reused for the same kind
   * @param violations receives Content-Security-Policy violations
   */
  open(kind: string, violations: string[]): Promise<BrowserContext>
  /** @param keep reuses the context, which is unsafe after a failure */
  close(context: BrowserContext, keep: boolean): Promise<void>
}

type Pooled = {
  context: BrowserContext
  kind: string
  blank: Page
  devtools: CDPSession
  violations: string[]
  changed: boolean
}

export function createContextPool(browser: Browser, baseURL: string): ContextPool {
  const opened = new Map<BrowserContext, Pooled>()
  const idle: Pooled[] = []

  const create = async (kind: string): Promise<Pooled> => {
    const context = await browser.newContext({ baseURL })
    await collectViolations(context, (violation) => opened.get(context)?.violations.push(violation))
    const blank = await context.newPage()
    const devtools = await context.newCDPSession(blank)
    const pooled = { context, kind, blank, devtools, violations: [], changed: false }
    noticeChanges(pooled)
    return pooled
  }

  return {
    async open(kind, violations) {
      const found = idle.findIndex((one) => one.kind === kind)
      const pooled = idle.splice(found, found < 0 ? 0 : 1)[0] ?? (await create(kind))
      pooled.violations = violations
      opened.set(pooled.context, pooled)
      return pooled.context
    },
    async close(context, keep) {
      const pooled = opened.get(context)
      opened.delete(context)
      if (!pooled || !keep || pooled.changed) return context.close()
      await clear(pooled, baseURL)
      idle.push(pooled)
    },
  }
}

async function clear({ context, blank, devtools }: Pooled, origin: string): Promise<void> {
  for (const page of context.pages()) if (page !== blank) await page.close()
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  await context.setOffline(false)
  await context.clearCookies()
  await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
}

/** A clock, script or function cannot be removed. */
function noticeChanges(pooled: Pooled): void {
  const { context } = pooled
  const notice =
    <Given extends unknown[], Result>(does: (...given: Given) => Result) =>
    (...given: Given): Result => {
      pooled.changed = true
      return does(...given)
    }
  context.addInitScript = notice(context.addInitScript.bind(context))
  context.exposeFunction = notice(context.exposeFunction.bind(context))
  context.exposeBinding = notice(context.exposeBinding.bind(context))
  context.clock.install = notice(context.clock.install.bind(context.clock))
}

async function collectViolations(
  context: BrowserContext,
  collect: (violation: string) => void,
): Promise<void> {
  await context.exposeBinding('reportViolation', (_, report: string) => collect(report))
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      const { violatedDirective, blockedURI, sample, sourceFile } = event
      // Playwright's tracer, not the app, reloads failed pictures outside scripts.
      if (violatedDirective === 'connect-src' && blockedURI === 'blob' && !sourceFile) return
      const { reportViolation } = globalThis as unknown as { reportViolation: (report: string) => void }
      reportViolation(`${violatedDirective} ${blockedURI} ${sample} in ${sourceFile}`)
    })
  })
}
