import { useQuery } from '@tanstack/react-query'
import { Fingerprint, Info, KeyRound, Smartphone } from 'lucide-react'
import { useRef, useState } from 'react'
import type { Passkey } from '#contract/account/passkeys.ts'
import { en } from '#contract/language.ts'
import { accountSettingsQuery } from '#web/features/account/settings/account-security-queries.ts'
import {
  SettingsActionButton,
  SettingsBox,
  SettingsNote,
  SettingsNoteButton,
  SettingsRow,
} from '#web/features/account/settings/settings-box-and-rows.tsx'
import { useReauthentication } from '#web/features/account/settings/use-reauthentication.tsx'
import { useSignedInMember } from '#web/features/account/signed-in-member.ts'
import { formatDate } from '#web/format-time.ts'
import { useCommunityName } from '#web/navigation/community-identity.ts'
import { Button } from '#web/ui/button.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { useConfirm } from '#web/ui/use-confirm.tsx'
import { useAddPasskey, useRemovePasskey, useRemovePassword } from './passkey-mutations.ts'
import { PasskeyNameDialog } from './passkey-name-dialog.tsx'
import { passkeysQuery } from './passkey-queries.ts'
import { isPasskeyBrowser } from './passkey-support.ts'
import { proposePasskeyName } from './propose-passkey-name.ts'

export function PasskeysPage() {
  const me = useSignedInMember()
  const community = useCommunityName()
  const passkeys = useQuery(passkeysQuery)
  const { dialog, withReauthentication } = useReauthentication('strongest')
  const [named, setNamed] = useState<Passkey>()
  const list = useRef<HTMLElement>(null)
  const add = useAddPasskey(withReauthentication, setNamed)
  const remove = useRemovePasskey(withReauthentication, () => list.current?.focus())
  const question = useConfirm({
    title: en('Remove this passkey?', '¿Quitar esta llave?'),
    text: en(
      `You’ll no longer be able to sign in to ${community} with it. It stays on your device or in your password manager until you delete it there.`,
      `Ya no podrás entrar en ${community} con ella. Sigue en tu dispositivo o gestor de contraseñas hasta que la borres allí.`,
    ),
    confirm: en('Remove', 'Quitar'),
    cancel: en('Cancel', 'Cancelar'),
  })

  async function askToRemove(passkey: Passkey) {
    if (await question.ask()) remove.mutate(passkey.$id)
  }

  return (
    <>
      <p className="mx-1 mb-4.5 max-w-[62ch] text-pretty text-text-2 md:mx-0">
        {en(
          `A passkey is stored on your phone, computer or password manager. It signs you in to ${community} with your fingerprint, face or PIN. Nobody can guess it, and it works only on this site.`,
          `Una llave de acceso se guarda en tu teléfono, ordenador o gestor de contraseñas. Con ella entras en ${community} con tu huella, tu cara o un PIN. Nadie puede adivinarla y solo sirve en este sitio.`,
        )}
      </p>
      <QueryView
        query={passkeys}
        skeleton={<Skeleton className="h-40 rounded-card" />}
        noticeClassName="mb-3.5"
      >
        {({ documents }) => (
          <>
            <section
              ref={list}
              tabIndex={-1}
              aria-label={en('Your passkeys', 'Tus llaves de acceso')}
              className="outline-none"
            >
              {documents.length > 0 && (
                <SettingsBox>
                  {documents.map((passkey) => (
                    <PasskeyRow
                      key={passkey.$id}
                      passkey={passkey}
                      busy={remove.isPending && remove.variables === passkey.$id}
                      onRename={() => setNamed(passkey)}
                      onRemove={() => askToRemove(passkey)}
                    />
                  ))}
                </SettingsBox>
              )}
            </section>
            {isPasskeyBrowser() && (
              <div className="mb-4">
                <Button
                  busy={add.isPending}
                  onClick={async () => add.mutate(await proposePasskeyName(me.name))}
                >
                  <Fingerprint aria-hidden size={18} strokeWidth={2} />
                  {en('Add a passkey', 'Añadir una llave')}
                </Button>
              </div>
            )}
            <PasswordNote passkeys={documents.length} />
          </>
        )}
      </QueryView>
      <PasskeyNameDialog passkey={named} onClose={() => setNamed(undefined)} />
      {question.dialog}
      {dialog}
    </>
  )
}

function PasskeyRow({
  passkey,
  busy,
  onRename,
  onRemove,
}: {
  passkey: Passkey
  busy: boolean
  onRename: () => void
  onRemove: () => void
}) {
  const { name, keeper, kind, addedAt, usedAt } = passkey
  const where = keeper ?? (kind === 'security-key' ? en('Security key', 'Llave de seguridad') : null)
  return (
    <SettingsRow
      icon={kind === 'security-key' ? KeyRound : Smartphone}
      color="success"
      title={name}
      wraps
      text={
        <>
          {where && `${where} · `}
          {en('added ', 'añadida ')}
          {formatDate(new Date(addedAt))} ·{' '}
          {usedAt ? (
            <>
              {en('used ', 'usada ')}
              <RelativeTime at={usedAt} inSentence />
            </>
          ) : (
            en('never used', 'nunca usada')
          )}
        </>
      }
    >
      <div className="ml-auto flex gap-x-4">
        <SettingsActionButton label={en(`Rename ${name}`, `Cambiar el nombre de ${name}`)} onClick={onRename}>
          {en('Rename', 'Cambiar el nombre')}
        </SettingsActionButton>
        <SettingsActionButton
          label={en(`Remove ${name}`, `Quitar ${name}`)}
          danger
          busy={busy}
          onClick={onRemove}
        >
          {en('Remove', 'Quitar')}
        </SettingsActionButton>
      </div>
    </SettingsRow>
  )
}

/** Without a password, this many passkeys must remain, unless the member can sign in by email. */
const passkeysWithoutPassword = 2

function PasswordNote({ passkeys }: { passkeys: number }) {
  const { data } = useQuery(accountSettingsQuery)
  const { dialog, withReauthentication } = useReauthentication('strongest')
  const remove = useRemovePassword(withReauthentication)
  const question = useConfirm({
    title: en('Remove your password?', '¿Quitar tu contraseña?'),
    text: en(
      'You’ll sign in with your passkeys. All your other devices are logged out.',
      'Entrarás con tus llaves de acceso. Se cierra la sesión en tus demás dispositivos.',
    ),
    confirm: en('Remove', 'Quitar'),
    cancel: en('Cancel', 'Cancelar'),
  })
  if (!data?.hasPassword)
    return (
      <SettingsNote icon={Info} color="plain">
        {en('A passkey counts as both steps.', 'Una llave de acceso vale por los dos pasos.')}
      </SettingsNote>
    )
  const mayRemove = passkeys >= (data.emailVerified ? 1 : passkeysWithoutPassword)

  async function ask() {
    if (await question.ask()) remove.mutate()
  }

  return (
    <>
      <SettingsNote
        icon={Info}
        color="plain"
        actions={
          mayRemove && (
            <SettingsNoteButton busy={remove.isPending} onClick={ask}>
              {en('Remove my password', 'Quitar mi contraseña')}
            </SettingsNoteButton>
          )
        }
      >
        {en(
          'A passkey counts as both steps. You can still sign in with your password. To remove it, you need at least two passkeys.',
          'Una llave de acceso vale por los dos pasos. También puedes entrar con tu contraseña. Para quitarla necesitas al menos dos llaves.',
        )}
      </SettingsNote>
      {question.dialog}
      {dialog}
    </>
  )
}
