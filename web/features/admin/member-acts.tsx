import { useQueryClient } from '@tanstack/react-query'
import { Copy, Gavel, LifeBuoy, LogOut, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import type { AdminMember } from '#contract/admin/members.ts'
import {
  createRecoveryLinkEndpoint,
  endSuspensionEndpoint,
  setModeratorEndpoint,
  signMemberOutEndpoint,
  suspendMemberEndpoint,
} from '#contract/generated-endpoints.ts'
import { en } from '#contract/language.ts'
import { callApiOperation } from '#web/api/client.ts'
import { adminQueryKeys } from '#web/api/query-keys.ts'
import {
  SettingsActionButton,
  SettingsBox,
  SettingsRow,
} from '#web/features/account/settings/settings-box-and-rows.tsx'
import { ReasonField } from '#web/features/moderation/cases/case-decision-parts.tsx'
import { type SuspensionDays, suspensionLengths } from '#web/features/moderation/cases/suspension-lengths.ts'
import { RefusalAlert } from '#web/features/moderation/refusal-alert.tsx'
import { SegmentedRadio } from '#web/forms/segmented-radio.tsx'
import { Button } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast/toast-store.ts'
import { useConfirm } from '#web/ui/use-confirm.tsx'
import { useOperatorMutation } from './use-operator-mutation.ts'

type Act = 'moderate' | 'suspend' | 'reopen' | 'recover' | 'signOut'

/** Each action needs re-authentication and is recorded. */
export function MemberActs({ member }: { member: AdminMember }) {
  const { $id: memberId, name, can, moderates } = member
  const client = useQueryClient()
  const [link, setLink] = useState<string>()
  const [isSuspending, setSuspending] = useState(false)
  const [days, setDays] = useState<SuspensionDays>(7)
  const [text, setText] = useState('')

  const calls: Record<Act, () => Promise<unknown>> = {
    moderate: () => callApiOperation(setModeratorEndpoint, { memberId, moderates: !moderates }),
    suspend: () => callApiOperation(suspendMemberEndpoint, { memberId, text, days }),
    reopen: () => callApiOperation(endSuspensionEndpoint, { memberId }),
    recover: async () => setLink((await callApiOperation(createRecoveryLinkEndpoint, { memberId })).link),
    signOut: () => callApiOperation(signMemberOutEndpoint, { memberId }),
  }
  const acting = useOperatorMutation({
    mutationFn: (act: Act) => calls[act](),
    onSuccess: (_, act) => {
      if (act === 'suspend') {
        setSuspending(false)
        setText('')
      }
      if (act !== 'recover') toast({ text: en('Done.', 'Hecho.') })
    },
    onSettled: () => client.invalidateQueries({ queryKey: adminQueryKeys.all }),
  })
  const isBusy = (act: Act) => acting.isPending && acting.variables === act

  const moderating = useConfirm({
    title: moderates
      ? en(`Remove ${name} as a moderator?`, `¿Quitarle a ${name} el rol de moderadora?`)
      : en(`Make ${name} a moderator?`, `¿Nombrar a ${name} moderadora?`),
    text: moderates
      ? en(
          'She will no longer see reports. Her cases go back to the queue.',
          'Dejará de ver denuncias. Sus casos vuelven a la cola.',
        )
      : en(
          'She will see what members report and decide what to do.',
          'Verá lo que se denuncia y decidirá qué hacer.',
        ),
    confirm: moderates ? en('Remove', 'Quitar') : en('Make moderator', 'Nombrar'),
    cancel: en('Cancel', 'Cancelar'),
  })
  const recovering = useConfirm({
    title: en(`Create a recovery link for ${name}?`, `¿Crear un enlace de recuperación para ${name}?`),
    text: en(
      'Anyone with the link can choose a new password, once, within an hour. She sees it in her security log, and gets an email if this community sends any. Make sure that she is the one asking you.',
      'Quien tenga el enlace puede elegir una contraseña nueva, una vez, durante una hora. Ella lo ve en su registro de seguridad, y recibe un correo si esta comunidad los envía. Asegúrate de que es ella quien te lo pide.',
    ),
    confirm: en('Create link', 'Crear enlace'),
    cancel: en('Cancel', 'Cancelar'),
  })
  const signingOut = useConfirm({
    title: en(`Log ${name} out everywhere?`, `¿Cerrar todas las sesiones de ${name}?`),
    text: en(
      'She will have to sign in again on every device.',
      'Tendrá que entrar otra vez en cada dispositivo.',
    ),
    confirm: en('Log out', 'Cerrar sesión'),
    cancel: en('Cancel', 'Cancelar'),
  })
  const reopening = useConfirm({
    title: en(`End the suspension of ${name}?`, `¿Terminar la suspensión de ${name}?`),
    text: en('She can sign in again right away.', 'Podrá entrar enseguida.'),
    confirm: en('End suspension', 'Terminar suspensión'),
    cancel: en('Cancel', 'Cancelar'),
  })
  const askThen = async ({ ask }: { ask: () => Promise<boolean> }, act: Act) => {
    if (await ask()) acting.mutate(act)
  }

  return (
    <SettingsBox
      title={en('Actions', 'Acciones')}
      text={en('Each one is recorded.', 'Cada una queda registrada.')}
    >
      {/* This element comes first, because the last child gets a line above it. */}
      {acting.dialog}
      {moderating.dialog}
      {recovering.dialog}
      {signingOut.dialog}
      {reopening.dialog}
      {can.moderate && (
        <SettingsRow
          icon={ShieldCheck}
          title={en('Moderator', 'Moderadora')}
          text={
            moderates
              ? en('Reviews reports.', 'Revisa las denuncias.')
              : en('Not a moderator.', 'No es moderadora.')
          }
        >
          <SettingsActionButton busy={isBusy('moderate')} onClick={() => askThen(moderating, 'moderate')}>
            {moderates ? en('Remove', 'Quitar') : en('Make moderator', 'Nombrar')}
          </SettingsActionButton>
        </SettingsRow>
      )}
      {can.recover && (
        <SettingsRow
          icon={LifeBuoy}
          title={en('Recovery link', 'Enlace de recuperación')}
          text={en('For a member who cannot sign in.', 'Para quien no puede entrar.')}
        >
          <SettingsActionButton busy={isBusy('recover')} onClick={() => askThen(recovering, 'recover')}>
            {en('Create a link', 'Crear un enlace')}
          </SettingsActionButton>
        </SettingsRow>
      )}
      {!can.recover && (
        <SettingsRow
          icon={LifeBuoy}
          title={en('Recovery link', 'Enlace de recuperación')}
          text={describeNoRecovery(member)}
        />
      )}
      {link && <RecoveryLink link={link} />}
      {can.signOut && (
        <SettingsRow
          icon={LogOut}
          title={en('Log out everywhere', 'Cerrar todas las sesiones')}
          text={en('If a device was lost or stolen.', 'Si perdió o le robaron un dispositivo.')}
        >
          <SettingsActionButton busy={isBusy('signOut')} onClick={() => askThen(signingOut, 'signOut')}>
            {en('Log out', 'Cerrar sesión')}
          </SettingsActionButton>
        </SettingsRow>
      )}
      {can.reopen && (
        <SettingsRow
          icon={Gavel}
          title={en('Suspension', 'Suspensión')}
          text={en(
            'Moderators still decide her review, if she asked for one.',
            'Si pidió una revisión, la deciden las moderadoras.',
          )}
        >
          <SettingsActionButton busy={isBusy('reopen')} onClick={() => askThen(reopening, 'reopen')}>
            {en('End suspension', 'Terminar')}
          </SettingsActionButton>
        </SettingsRow>
      )}
      {member.state === 'suspended' && !can.reopen && (
        <SettingsRow
          icon={Gavel}
          title={en('Suspension', 'Suspensión')}
          text={en(
            'Two people decided it: a review ends it, or npm run account -- reopen on the server.',
            'La decidieron dos personas: la termina una revisión, o npm run account -- reopen en el servidor.',
          )}
        />
      )}
      {member.state === 'open' && !can.suspend && !member.proposed && (
        <SettingsRow
          icon={Gavel}
          title={en('Suspend', 'Suspender')}
          text={en(
            'Another person decides: this is your own account, or you reported or blocked her.',
            'Decide otra persona: es tu propia cuenta, o la denunciaste o bloqueaste.',
          )}
        />
      )}
      {can.suspend && (
        <SettingsRow
          icon={Gavel}
          title={en('Suspend', 'Suspender')}
          text={
            can.suspendAlone
              ? en(
                  'She reads the reason and can ask for a review.',
                  'Lee el motivo y puede pedir una revisión.',
                )
              : en(
                  'She is a moderator or operator, so another one has to confirm it.',
                  'Es moderadora u operadora: otra tiene que confirmarlo.',
                )
          }
        >
          <SettingsActionButton danger expanded={isSuspending} onClick={() => setSuspending(!isSuspending)}>
            {can.suspendAlone ? en('Suspend', 'Suspender') : en('Propose', 'Proponer')}
          </SettingsActionButton>
        </SettingsRow>
      )}
      {can.suspend && isSuspending && (
        <form
          className="py-3.5"
          onSubmit={(event) => {
            event.preventDefault()
            acting.mutate('suspend')
          }}
        >
          <fieldset>
            <legend className="sr-only">{en('For how long', 'Por cuánto tiempo')}</legend>
            <SegmentedRadio options={suspensionLengths} chosen={days} onChoose={setDays} />
          </fieldset>
          <ReasonField
            label={en('Reason, as she will read it', 'Motivo, como ella lo leerá')}
            value={text}
            onChange={setText}
          />
          <Button
            type="submit"
            kind="danger"
            className="mt-3.5"
            disabled={text.trim() === ''}
            busy={isBusy('suspend')}
          >
            {can.suspendAlone ? en('Suspend', 'Suspender') : en('Propose suspension', 'Proponer suspensión')}
          </Button>
        </form>
      )}
      {acting.error && <RefusalAlert error={acting.error} className="py-3 text-label" />}
    </SettingsBox>
  )
}

function describeNoRecovery({ state, email, moderates, operates }: AdminMember): string {
  if (moderates || operates)
    return en(
      'She is a moderator or operator: npm run account -- recover on the server creates a link.',
      'Es moderadora u operadora: el enlace lo crea npm run account -- recover en el servidor.',
    )
  if (state !== 'open')
    return en(
      'Not while her account is closed or suspended.',
      'No mientras su cuenta esté cerrada o suspendida.',
    )
  if (email === null) return en('Her account has no email address.', 'Su cuenta no tiene correo.')
  return en('Not possible right now.', 'Ahora no es posible.')
}

function RecoveryLink({ link }: { link: string }) {
  return (
    <div className="py-3.5">
      <label className="block text-label font-[620]">
        {en(
          'Give her this link yourself. It is shown only once.',
          'Dale tú misma este enlace. Solo se muestra una vez.',
        )}
        <input
          readOnly
          value={link}
          onFocus={({ target }) => target.select()}
          className="mt-1.5 block min-h-12 w-full rounded-input border border-border-control bg-sunken px-3.5 text-body font-normal"
        />
      </label>
      <Button
        kind="soft"
        size="sm"
        className="mt-2.5"
        onClick={async () => {
          await navigator.clipboard.writeText(link)
          toast({ text: en('Copied.', 'Copiado.') })
        }}
      >
        <Copy aria-hidden size={18} strokeWidth={2} />
        {en('Copy', 'Copiar')}
      </Button>
    </div>
  )
}
