export const byId = (id) => document.getElementById(id);

export const say = (id, words) => {
  byId(id).textContent = words;
};
