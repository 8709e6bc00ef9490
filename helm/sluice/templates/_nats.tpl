{{/* Which streams each user reads, as a YAML map; a room reads what it hears, and its own. */}}
{{- define "sluice.nats.hears" -}}
watcher: [watcher]
assigner: [watcher, assigner]
bgp: [watcher, aws-sync, bgp]
aws-sync: [watcher, aws-sync]
publisher: [watcher, assigner, bgp, aws-sync, publisher]
{{- end -}}

{{- define "sluice.nats.streams" -}}
[watcher, assigner, bgp, aws-sync, publisher]
{{- end -}}

{{/* Everybody with a login: the rooms that run, and people. */}}
{{- define "sluice.nats.users" -}}
{{ concat (include "sluice.rooms" . | fromYaml | keys | sortAlpha) (list "sre") | toJson }}
{{- end -}}

{{/* The subjects that a room may publish (docs/log.md), as a YAML list; takes root and room. */}}
{{- define "sluice.nats.mayPublish" -}}
{{- $prefix := include "sluice.prefix" .root -}}
{{- $upper := upper $prefix -}}
- {{ $prefix }}.{{ .room }}.>
# Which replica leads.
- {{ $prefix }}-lease.{{ .room }}
- $JS.API.STREAM.MSG.GET.{{ $upper }}_LEASE
{{- range index (include "sluice.nats.hears" . | fromYaml) .room }}
{{- $stream := printf "%s_%s" $upper (upper .) }}
- $JS.API.STREAM.INFO.{{ $stream }}
- $JS.API.STREAM.MSG.GET.{{ $stream }}
- $JS.API.CONSUMER.CREATE.{{ $stream }}.*.{{ $prefix }}.{{ . }}.>
- $JS.API.CONSUMER.MSG.NEXT.{{ $stream }}.*
- $JS.API.CONSUMER.DELETE.{{ $stream }}.*
{{- end }}
{{- if eq .room "publisher" }}
{{- range include "sluice.nats.streams" . | fromYamlArray }}
- $JS.API.STREAM.CREATE.{{ $upper }}_{{ upper . }}
# An older copy of the log is made void (ADR 0031); the history stays.
- $JS.API.STREAM.DELETE.{{ $upper }}_{{ upper . }}
{{- end }}
- $JS.API.STREAM.INFO.{{ $upper }}_HISTORY
- $JS.API.STREAM.MSG.GET.{{ $upper }}_HISTORY
- $JS.API.STREAM.CREATE.{{ $upper }}_HISTORY
- $JS.API.STREAM.INFO.{{ $upper }}_LEASE
- $JS.API.STREAM.CREATE.{{ $upper }}_LEASE
{{- end }}
{{- end -}}

{{/* What people may ask for: everything that reads, nothing that writes. */}}
{{- define "sluice.nats.mayAsk" -}}
{{- $upper := include "sluice.prefix" . | upper -}}
- $JS.API.INFO
- $JS.API.STREAM.NAMES
- $JS.API.STREAM.LIST
- $JS.API.STREAM.INFO.*
- $JS.API.CONSUMER.NAMES.*
- $JS.API.CONSUMER.LIST.*
- $JS.API.CONSUMER.INFO.*.*
{{- range append (include "sluice.nats.streams" . | fromYamlArray) "history" }}
{{- $stream := printf "%s_%s" $upper (upper .) }}
- $JS.API.STREAM.MSG.GET.{{ $stream }}
- $JS.API.DIRECT.GET.{{ $stream }}
- $JS.API.DIRECT.GET.{{ $stream }}.>
- $JS.API.CONSUMER.CREATE.{{ $stream }}
- $JS.API.CONSUMER.CREATE.{{ $stream }}.>
- $JS.API.CONSUMER.MSG.NEXT.{{ $stream }}.*
- $JS.API.CONSUMER.DELETE.{{ $stream }}.*
{{- end }}
- $JS.FC.>
{{- end -}}

{{- define "sluice.nats.quoted" -}}
{{- range $index, $subject := . }}
{{- if $index }}{{ "\n" }}{{ end -}}
"{{ $subject }}"
{{- end }}
{{- end -}}

{{- define "sluice.nats.passwordVariable" -}}
NATS_PASSWORD_{{ . | upper | replace "-" "_" }}
{{- end -}}

{{/* nats.conf; passwords come from the environment, so that it may be read and compared. */}}
{{- define "sluice.nats.conf" -}}
{{- $root := . -}}
{{- $prefix := include "sluice.prefix" . -}}
{{- $full := include "sluice.fullname" . -}}
server_name: $POD_NAME
listen: "0.0.0.0:4222"
http: "0.0.0.0:8222"
pid_file: "/run/nats/nats.pid"
lame_duck_grace_period: "10s"
lame_duck_duration: "30s"
jetstream {
  store_dir: "/data"
  max_memory_store: 64MB
  max_file_store: {{ .Values.nats.storage.maxFileStore }}
  # An acknowledged event has reached the disk.
  sync_interval: always
}
tls {
  cert_file: "/etc/nats-certs/tls.crt"
  key_file: "/etc/nats-certs/tls.key"
  ca_file: "/etc/nats-certs/ca.crt"
}
{{- if gt (int .Values.nats.replicas) 1 }}
cluster {
  name: {{ $full | quote }}
  listen: "0.0.0.0:6222"
  no_advertise: true
  routes: [
    {{- range until (int .Values.nats.replicas) }}
    "nats://{{ $full }}-nats-{{ . }}.{{ $full }}-nats-headless.{{ $root.Release.Namespace }}.svc:6222"
    {{- end }}
  ]
  # Servers know each other by their certificates.
  tls {
    cert_file: "/etc/nats-certs/tls.crt"
    key_file: "/etc/nats-certs/tls.key"
    ca_file: "/etc/nats-certs/ca.crt"
    verify: true
    timeout: 5
  }
}
{{- end }}
authorization {
  timeout: 5
  users: [
    {{- range include "sluice.nats.users" . | fromJsonArray }}
    {
      user: {{ . | quote }}
      password: ${{ include "sluice.nats.passwordVariable" . }}
      permissions: {
        {{- if eq . "sre" }}
        publish: { allow: [ {{- include "sluice.nats.quoted" (include "sluice.nats.mayAsk" $root | fromYamlArray) | nindent 10 }}
        ] }
        subscribe: { allow: [
          "{{ $prefix }}.>"
          "{{ $prefix }}-lease.*"
          "$JS.EVENT.ADVISORY.>"
          "_INBOX.>"
          "_INBOX_sluice-cli.>"
        ] }
        {{- else }}
        publish: { allow: [ {{- include "sluice.nats.quoted" (include "sluice.nats.mayPublish" (dict "root" $root "room" .) | fromYamlArray) | nindent 10 }}
        ] }
        # Nobody else's answers.
        subscribe: { allow: [ "_INBOX_sluice-{{ . }}.>" ] }
        {{- end }}
      }
    }
    {{- end }}
  ]
}
{{- end -}}
