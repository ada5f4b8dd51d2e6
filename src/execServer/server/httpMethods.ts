import { decodeParams } from '../wire/decode';
import { EXTENSION_METHODS } from '../wire/extensions';
import { exchangeParams, HTTP_REQUEST, httpRequestParams } from '../wire/httpMethods';
import type { HttpExchanges } from './httpExchanges';
import type { Method, Methods } from './method';

const onExchange = (run: (exchanges: HttpExchanges, requestId: string) => void): Method => ({
  run: (session, params) => {
    run(session.http, decodeParams(exchangeParams, params).requestId);
    return {};
  },
});

/** What a client has this machine fetch. */
export const HTTP_METHODS: Methods = [
  [HTTP_REQUEST, { run: (session, params) => session.http.request(decodeParams(httpRequestParams, params)) }],
  [EXTENSION_METHODS.pauseBody, onExchange((exchanges, id) => exchanges.setPaused(id, true))],
  [EXTENSION_METHODS.resumeBody, onExchange((exchanges, id) => exchanges.setPaused(id, false))],
  [EXTENSION_METHODS.cancelRequest, onExchange((exchanges, id) => exchanges.cancel(id))],
];
