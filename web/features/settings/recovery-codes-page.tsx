import { Button } from '#web/ui/button.tsx'
import { useRenewRecoveryCodes } from './account-security-mutations.ts'
import { RecoveryCodes } from './recovery-codes.tsx'
import { useFreshProof } from './use-fresh-proof.tsx'

/** Makes new recovery codes and shows them once. */
export function RecoveryCodesPage() {
  const { dialog, withProof } = useFreshProof({ byCode: true })
  const renew = useRenewRecoveryCodes(withProof)
  if (renew.data) return <RecoveryCodes codes={renew.data.recoveryCodes} />
  return (
    <section className="card p-5">
      <p className="mb-4 max-w-[62ch] text-pretty text-text-2">
        New codes end the ones you have. Make new ones before you run out.
      </p>
      <Button busy={renew.isPending} onClick={() => renew.mutate()}>
        Make new codes
      </Button>
      {dialog}
    </section>
  )
}
