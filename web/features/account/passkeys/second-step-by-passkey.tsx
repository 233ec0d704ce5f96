import { Fingerprint } from 'lucide-react'
import { useEffect, useState } from 'react'
import {
  completeSecondStepByPasskeyEndpoint,
  listSecondStepFactorsEndpoint,
} from '#contract/generated-endpoints.ts'
import { es } from '#contract/language.ts'
import { callApiOperation } from '#web/api/client.ts'
import { Button } from '#web/ui/button.tsx'
import { describePasskeyFailure } from './describe-passkey-failure.ts'
import { askForReauthenticationPasskey, isPromptGivenUp } from './passkey-prompts.ts'
import { isPasskeyBrowser } from './passkey-support.ts'

/**
 * @param trustsBrowser whether this browser skips the second factor for thirty days; read on press
 * @param onFailure receives a message, or an error that the passkey did not cause
 */
export function SecondStepByPasskey({
  trustsBrowser,
  onDone,
  onFailure,
}: {
  trustsBrowser: () => boolean
  onDone: () => Promise<void>
  onFailure: (why: string | Error) => void
}) {
  const offered = useHasPasskey()
  const [busy, setBusy] = useState(false)

  async function press() {
    setBusy(true)
    try {
      const assertion = await askForReauthenticationPasskey()
      await callApiOperation(completeSecondStepByPasskeyEndpoint, {
        assertion,
        trustBrowser: trustsBrowser(),
      })
      await onDone()
    } catch (error) {
      setBusy(false)
      if (!isPromptGivenUp(error)) onFailure(describePasskeyFailure(error) ?? (error as Error))
    }
  }

  if (!offered) return null
  return (
    <Button kind="outline" size="lg" block busy={busy} onClick={press}>
      <Fingerprint aria-hidden size={20} strokeWidth={2} />
      {es('Usar una llave de acceso', 'Use a passkey')}
    </Button>
  )
}

function useHasPasskey(): boolean {
  const [has, setHas] = useState(false)
  useEffect(() => {
    if (!isPasskeyBrowser()) return
    callApiOperation(listSecondStepFactorsEndpoint, {}).then(
      ({ factors }) => setHas(factors.includes('passkey')),
      () => {},
    )
  }, [])
  return has
}
