import { en } from '#contract/language.ts'
import { Button } from '#web/ui/button.tsx'
import { useRenewRecoveryCodes } from '../account-security-mutations.ts'
import { useReauthentication } from '../use-reauthentication.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

export function RecoveryCodesPage() {
  const { dialog, withReauthentication } = useReauthentication('code')
  const renew = useRenewRecoveryCodes(withReauthentication)
  if (renew.data) return <RecoveryCodes codes={renew.data.recoveryCodes} />
  return (
    <section className="card p-5">
      <p className="mb-4 max-w-[62ch] text-pretty text-text-2">
        {en(
          'New codes replace the ones you have. Create new ones before you run out.',
          'Los códigos nuevos anulan los que tienes. Crea otros antes de que se te acaben.',
        )}
      </p>
      <Button busy={renew.isPending} onClick={() => renew.mutate()}>
        {en('Create new codes', 'Crear códigos nuevos')}
      </Button>
      {dialog}
    </section>
  )
}
