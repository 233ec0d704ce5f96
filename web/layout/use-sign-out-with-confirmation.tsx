import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useSignOut } from '#web/features/account/use-sign-out.ts'
import { lazyPart } from '#web/navigation/lazy-part.tsx'
import { waitForNextPaint } from '#web/ui/wait-for-next-paint.ts'

const loadQuestion = () => import('./sign-out-question.tsx')
const SignOutQuestion = lazyPart(async () => (await loadQuestion()).SignOutQuestion)

export function useSignOutWithConfirmation(): { busy: boolean; run: () => void; question: ReactNode } {
  const client = useQueryClient()
  const signOut = useSignOut()
  const [unsent, setUnsent] = useState<string>()
  const [confirming, setConfirming] = useState(false)
  const counting = useRef(false)

  // Loads early: a member with unsent messages is probably offline when signing out.
  useEffect(
    () =>
      void waitForNextPaint()
        .then(loadQuestion)
        .catch(() => {}),
    [],
  )

  async function run() {
    if (counting.current) return
    counting.current = true
    // Signing out must work even if the dialog cannot be loaded.
    const found = await loadQuestion().then(
      ({ describeUnsentWork }) => describeUnsentWork(client),
      () => '',
    )
    counting.current = false
    if (!found) return signOut.run()
    setUnsent(found)
    setConfirming(true)
  }

  const question = unsent !== undefined && (
    <SignOutQuestion
      open={confirming}
      unsent={unsent}
      onConfirm={() => {
        setConfirming(false)
        signOut.run()
      }}
      onCancel={() => setConfirming(false)}
    />
  )
  return { busy: signOut.busy, run: () => void run(), question }
}
