import { headerList, optional, text, webAddress } from './config-parsers.ts';
import { setting } from './setting.ts';

/** The settings of the collector of traces, with the names that OpenTelemetry gives them. */
export const collectorSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(
    optional(webAddress),
    '',
    'Address of a collector that is told of requests and jobs by OpenTelemetry (OTLP, JSON over HTTP); empty for none.',
  ),
  OTEL_EXPORTER_OTLP_HEADERS: setting(
    headerList,
    '',
    'Headers for the collector, as `name=value,name=value`.',
    { secret: true },
  ),
  OTEL_SERVICE_NAME: setting(text, 'spaceport', 'What the collector knows this service by.'),
} as const;
